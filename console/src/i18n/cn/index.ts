import { access } from './access.ts'
import { facts, history, raw } from './history.ts'
import { machines } from './machines.ts'
import { outside } from './outside.ts'
import { safety } from './safety.ts'
import { shortcuts } from './shortcuts.ts'
import { visits } from './visits.ts'

/** The Chinese dictionary; the one that decides which keys exist. */
export const cn = { ...outside, access, facts, history, machines, raw, safety, shortcuts, visits }
