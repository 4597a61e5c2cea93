import { type Kysely, sql } from 'kysely'
import { isSinceOwned } from '../../database/owned-since.ts'
import type { DB } from '../../database/schema.gen.ts'

type Db = Kysely<DB>

/** Of the time before the owner of now nothing is told; a machine's clock may be ahead, so its arrival counts. */
const isOfOwner = isSinceOwned({ column: 'alarms.machine_id' }, 'alarms.received_at')

/** Alarms of a machine since its owner has it, the latest first, and how many there are. */
export async function listAlarms(db: Db, machineId: number, slice: { start: number; count: number }) {
  const alarms = db.selectFrom('alarms').where('machine_id', '=', machineId).where(isOfOwner)
  const [rows, total] = await Promise.all([
    alarms
      .select(['alarms.id', 'level', 'text', 'raised_at', 'cleared_at', 'confirmed_at'])
      .orderBy('raised_at', 'desc')
      .orderBy('alarms.id', 'desc')
      .offset(slice.start)
      .limit(slice.count)
      .execute(),
    alarms.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}

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
    .where(isOfOwner)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${[...(ids ?? [])]}::bigint[])`))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
