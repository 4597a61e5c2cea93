import { type Kysely, sql } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'

/** A stretch of time: after `from`, up to and including `to`. */
export interface Stretch {
  readonly from: Date
  readonly to: Date
}

/** Tells every door of the visit times that ended; false when there were none. */
export async function createVisitTimeEnds(db: Kysely<DB>, { from, to }: Stretch): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into right_changes (user_id, machine_id, reason)
    select user_id, machine_id, 'visitTime' from machine_grants where until > ${from} and until <= ${to}`.execute(
    db,
  )
  return (numAffectedRows ?? 0n) > 0n
}

/** Tells of the maintenance windows that opened or closed by themselves, as of any other change of them; false: none did. */
export async function createWindowTurns(db: Kysely<DB>, { from, to }: Stretch): Promise<boolean> {
  const { rows } = await sql<{ eid: number; machine_id: number }>`
    select distinct enterprise_id as eid, machine_id from maintenance_windows
    where state = 'accepted' and (start_at > ${from} and start_at <= ${to} or stop_at > ${from} and stop_at <= ${to})`.execute(
    db,
  )
  if (rows.length === 0) return false
  await db
    .insertInto('right_changes')
    .values(rows.map(({ machine_id }) => ({ machine_id, reason: 'maintenance' })))
    .execute()
  await createMaintainerChanges(
    db,
    rows.map(({ eid }) => eid),
  )
  return true
}

/** Tells the people of enterprises who maintain machines that their rights to one changed: their lists show it. */
export async function createMaintainerChanges(db: Kysely<DB>, eids: readonly number[]): Promise<void> {
  await sql`
    insert into right_changes (user_id, reason)
    select distinct member.user_id, 'maintenance' from enterprise_members member
    where member.enterprise_id = any(${[...eids]}::bigint[])
      and (member.role <> 'member' or 'maintain' = any(member.rights))`.execute(db)
}
