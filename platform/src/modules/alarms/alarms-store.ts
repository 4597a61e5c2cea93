import { type Kysely, sql, type Transaction } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { AlarmChange } from './alarm-change.ts'

type Db = Kysely<DB>

/** An alarm as a change tells it, epoch milliseconds. */
type ToldRow = Pick<AlarmChange, 'machineId' | 'alarmId' | 'key' | 'level' | 'text' | 'count' | 'at'>

const told = sql`alarms.machine_id as "machineId", alarms.id as "alarmId", key, level, text, count`

/** Confirms alarms of a machine, all of them or those of `ids`; answers those that were not confirmed before. */
export async function confirmAlarms(
  db: Db,
  alarms: { machineId: number; ids: readonly number[] | undefined },
  by: { userId: number; at: Date },
): Promise<AlarmChange[]> {
  const { machineId, ids } = alarms
  const isNamed = ids ? sql`and id = any(${[...ids]}::bigint[])` : sql``
  // Locked in the order in which the ingest locks them, so that neither waits for the other in a circle.
  const { rows } = await sql<Omit<ToldRow, 'at'>>`
    with unseen as (
      select id from alarms
      where machine_id = ${machineId} and confirmed_at is null
        and ${isSinceOwned(machineId, 'alarms.received_at')} ${isNamed}
      order by id for no key update
    )
    update alarms set confirmed_at = ${by.at}, confirmed_by = ${by.userId}
    from unseen where alarms.id = unseen.id
    returning ${told}`.execute(db)
  const at = by.at.getTime()
  return inOrder(rows).map((row) => ({ kind: 'alarm.confirmed', ...row, at, userId: by.userId }))
}

/**
 * Ends the alarms of a machine that stand, because it changes hands, and answers them to be recorded. The machine's next
 * birth raises those that still do.
 */
export async function endAlarms(trx: Transaction<DB>, machineId: number, at: Date): Promise<AlarmChange[]> {
  const { rows } = await sql<ToldRow>`
    with open as (
      select id from alarms where machine_id = ${machineId} and cleared_at is null order by id for no key update
    )
    update alarms set cleared_at = greatest(raised_at, ${at})
    from open where alarms.id = open.id
    returning ${told}, (extract(epoch from cleared_at) * 1000)::float8 as at`.execute(trx)
  return inOrder(rows).map((row) => ({ kind: 'alarm.cleared', ...row }))
}

function inOrder<Row extends Pick<AlarmChange, 'alarmId'>>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => a.alarmId - b.alarmId)
}
