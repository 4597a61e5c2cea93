import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** The controller of a machine, for parts that are about to change something on it. */
export interface ControlPort {
  /**
   * Takes a free controller for 60 s, or prolongs such a hold; one held by a visit of the same person is theirs already.
   * Throws CONTROL_TAKEN with the holder's name. In the transaction of the write it is for.
   */
  takeForWrite(trx: Transaction<DB>, machineId: number, userId: number, now: number): Promise<void>
  /** Publishes to watchers that a controller may have changed hands; after the commit. */
  announce(machineId: number): void
}
