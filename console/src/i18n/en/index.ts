import type { Text } from '../text.ts'
import { access } from './access.ts'
import { facts, history, raw } from './history.ts'
import { machines } from './machines.ts'
import { outside } from './outside.ts'
import { safety } from './safety.ts'
import { shortcuts } from './shortcuts.ts'
import { visits } from './visits.ts'

export const en: Text = { ...outside, access, facts, history, machines, raw, safety, shortcuts, visits }
