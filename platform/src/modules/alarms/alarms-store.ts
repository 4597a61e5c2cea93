import { type Kysely, sql } from 'kysely'
import { isSinceOwned } from '../../database/owned-since.ts'
import type { DB } from '../../database/schema.gen.ts'

type Db = Kysely<DB>

/** Confirms alarms of a machine, all of them or those of `ids`; answers how many were not confirmed before. */
export async function confirmAlarms(
  db: Db,
  alarms: { machineId: number; ids: readonly number[] | undefined },
  by: { userId: number; at: Date },
): Promise<number> {
  const { machineId, ids } = alarms
  const { numUpdatedRows } = await db
    .updateTable('alarms')
    .set({ confirmed_at: by.at, confirmed_by: by.userId })
    .where('machine_id', '=', machineId)
    .where('confirmed_at', 'is', null)
    .where(isSinceOwned(machineId, 'alarms.received_at'))
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${[...(ids ?? [])]}::bigint[])`))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Ends the alarms of a machine that stand, because it changes hands. The machine's next birth raises those that still do. */
export async function endAlarms(db: Db, machineId: number, at: Date): Promise<void> {
  await db
    .updateTable('alarms')
    .set({ cleared_at: sql<Date>`greatest(raised_at, ${at})` })
    .where('machine_id', '=', machineId)
    .where('cleared_at', 'is', null)
    .execute()
}
