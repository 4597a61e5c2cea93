import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { recordRightChanges, recordRightChangesOf } from '../../kernel/rights/right-changes.ts'

/** A stretch of time: after `from`, up to and including `to`. */
export interface Stretch {
  readonly from: Date
  readonly to: Date
}

/** Tells every door of the visit times that ended. */
export async function createVisitTimeEnds(db: Kysely<DB>, { from, to }: Stretch): Promise<void> {
  const ended = await db
    .selectFrom('machine_grants')
    .select(['user_id', 'machine_id'])
    .where('until', '>', from)
    .where('until', '<=', to)
    .execute()
  await recordRightChanges(
    db,
    ended.map((grant) => ({ userId: grant.user_id, machineId: grant.machine_id, reason: 'visitTime' })),
  )
}

/** Tells of the maintenance windows that opened or closed by themselves, as of any other change of them. */
export async function createWindowTurns(db: Kysely<DB>, { from, to }: Stretch): Promise<void> {
  const { rows } = await sql<{ eid: number; machine_id: number }>`
    select distinct enterprise_id as eid, machine_id from maintenance_windows
    where state = 'accepted' and (start_at > ${from} and start_at <= ${to} or stop_at > ${from} and stop_at <= ${to})`.execute(
    db,
  )
  if (rows.length === 0) return
  await recordRightChanges(
    db,
    rows.map((row) => ({ machineId: row.machine_id, reason: 'maintenance' })),
  )
  await createMaintainerChanges(
    db,
    rows.map(({ eid }) => eid),
  )
}

/** Tells the people of enterprises who maintain machines that their rights to one changed: their lists show it. */
export async function createMaintainerChanges(db: Kysely<DB>, eids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ user_id: number }>`
    select distinct member.user_id from enterprise_members member
    where member.enterprise_id = any(${[...eids]}::bigint[])
      and (member.role <> 'member' or 'maintain' = any(member.rights))`.execute(db)
  await recordRightChangesOf(
    db,
    rows.map((row) => row.user_id),
    'maintenance',
  )
}
