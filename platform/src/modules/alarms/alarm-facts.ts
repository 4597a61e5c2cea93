import type { Transaction } from 'kysely'
import type pg from 'pg'
import type { AlarmChange } from '../../kernel/bus/bus.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** Records what changed of alarms as facts, in the transaction in which it does. */
export interface AlarmFacts {
  recordAll(on: pg.ClientBase | Transaction<DB>, changes: readonly AlarmChange[]): Promise<void>
}
