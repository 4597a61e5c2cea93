import type { Db } from './accounts-store.ts'

/** Begins the time in which a person's deletion can be taken back; false when they are locked or leaving already. */
export async function beginLeaving(trx: Db, userId: number, until: Date): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ state: 'leaving', leaves_at: until })
    .where('id', '=', userId)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Cancels a person's deletion, if its time is not over; false if nothing was cancelled. */
export async function endLeaving(trx: Db, userId: number, now: Date): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ state: 'active', leaves_at: null })
    .where('id', '=', userId)
    .where('state', '=', 'leaving')
    .where('leaves_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
