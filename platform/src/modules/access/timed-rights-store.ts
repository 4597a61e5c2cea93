import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { recordRightChangesOf } from '../../kernel/rights/right-changes.ts'

/** A stretch of time: after `from`, up to and including `to`. */
export interface Stretch {
  readonly from: Date
  readonly to: Date
}

/** The visit times that ended. */
export async function listVisitTimeEnds(db: Kysely<DB>, { from, to }: Stretch) {
  return db
    .selectFrom('machine_grants')
    .select(['user_id as userId', 'machine_id as machineId', 'until'])
    .where('until', '>', from)
    .where('until', '<=', to)
    .execute()
}

/** The maintenance windows that opened or closed by themselves. */
export async function listWindowTurns(db: Kysely<DB>, { from, to }: Stretch) {
  const { rows } = await sql<{
    windowId: number
    enterpriseId: number
    machineId: number
    startAt: Date
    stopAt: Date | null
  }>`
    select id as "windowId", enterprise_id as "enterpriseId", machine_id as "machineId",
           start_at as "startAt", stop_at as "stopAt"
    from maintenance_windows
    where state = 'accepted' and (start_at > ${from} and start_at <= ${to} or stop_at > ${from} and stop_at <= ${to})
    order by id`.execute(db)
  return rows
}

/** The members of an enterprise's maintenance teams of a machine. */
export async function listCrew(db: Kysely<DB>, eid: number, machineId: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select distinct hand.user_id from enterprise_team_machines looked_after
    join enterprise_teams team on team.id = looked_after.team_id and team.kind = 'maintain'
    join enterprise_team_members hand on hand.team_id = team.id
    where looked_after.enterprise_id = ${eid} and looked_after.machine_id = ${machineId}
    order by hand.user_id`.execute(db)
  return rows.map((row) => row.user_id)
}

/** The people of enterprises who maintain machines. */
export async function listMaintainers(db: Kysely<DB>, eids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select distinct member.user_id from enterprise_members member
    where member.enterprise_id = any(${[...eids]}::bigint[])
      and (member.role <> 'member' or 'maintain' = any(member.rights))`.execute(db)
  return rows.map((row) => row.user_id)
}

/**
 * Publishes to the people of enterprises who maintain machines that their rights to one changed: their lists show it.
 */
export async function createMaintainerChanges(db: Kysely<DB>, eids: readonly number[]): Promise<void> {
  await recordRightChangesOf(db, await listMaintainers(db, eids), 'maintenance')
}
