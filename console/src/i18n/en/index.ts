import type { Text } from '../text.ts'
import { access } from './access.ts'
import { machines } from './machines.ts'
import { outside } from './outside.ts'
import { safety } from './safety.ts'
import { visits } from './visits.ts'

export const en: Text = { ...outside, access, machines, safety, visits }
