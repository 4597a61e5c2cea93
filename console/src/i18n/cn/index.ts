import { access } from './access.ts'
import { account } from './account.ts'
import { enterprises } from './enterprises.ts'
import { facts, history, raw } from './history.ts'
import { joining } from './joining.ts'
import { machines } from './machines.ts'
import { outside } from './outside.ts'
import { safety } from './safety.ts'
import { shortcuts } from './shortcuts.ts'
import { visits } from './visits.ts'

/** The Chinese dictionary; the one that decides which keys exist. */
export const cn = {
  ...outside,
  access,
  account,
  enterprises,
  facts,
  history,
  joining,
  machines,
  raw,
  safety,
  shortcuts,
  visits,
}
