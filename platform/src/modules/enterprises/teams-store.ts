import type { enterprises as contract } from '@busbar/contract'
import { sql } from 'kysely'
import { type Db, idsOf, type Trx } from './spaces-store.ts'

/** A team with its people and machines. */
export async function listTeams(db: Db, eid: number) {
  const { rows } = await sql<{
    id: number
    name: string
    kind: contract.TeamKind
    members: { userId: number; name: string; phone: string | null; role: contract.EnterpriseRole }[]
    machines: { machineId: number; name: string; machineCode: string }[]
  }>`
    select team.id, team.name, team.kind,
           coalesce((
             select json_agg(json_build_object('userId', users.id, 'name', users.name, 'phone', users.phone,
                                               'role', member.role) order by users.name, users.id)
             from enterprise_team_members mate
             join users on users.id = mate.user_id
             join enterprise_members member
               on member.enterprise_id = team.enterprise_id and member.user_id = mate.user_id
             where mate.team_id = team.id), '[]') as members,
           coalesce((
             select json_agg(json_build_object('machineId', machines.id, 'name', device.name,
                                               'machineCode', machines.code) order by device.name, machines.id)
             from enterprise_team_machines looked_after
             join enterprise_machines device
               on device.enterprise_id = team.enterprise_id and device.machine_id = looked_after.machine_id
             join machines on machines.id = looked_after.machine_id
             where looked_after.team_id = team.id), '[]') as machines
    from enterprise_teams team
    where team.enterprise_id = ${eid}
    order by team.kind, team.name`.execute(db)
  return rows
}
export type TeamRow = Awaited<ReturnType<typeof listTeams>>[number]

/** The teams of a person. */
export async function listTeamsOf(db: Db, eid: number, userId: number) {
  return db
    .selectFrom('enterprise_teams as team')
    .innerJoin('enterprise_team_members as mate', 'mate.team_id', 'team.id')
    .select(['team.id', 'team.name', 'team.kind'])
    .where('team.enterprise_id', '=', eid)
    .where('mate.user_id', '=', userId)
    .orderBy('team.name')
    .execute()
}

export async function countTeams(db: Db, eid: number): Promise<number> {
  const row = await db
    .selectFrom('enterprise_teams')
    .select(sql<number>`count(*)`.as('count'))
    .where('enterprise_id', '=', eid)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findTeam(db: Db, eid: number, id: number) {
  return db
    .selectFrom('enterprise_teams')
    .select(['id', 'name', 'kind'])
    .where('enterprise_id', '=', eid)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Makes a team; undefined when the name is taken. */
export async function createTeam(
  trx: Trx,
  team: { eid: number; name: string; kind: contract.TeamKind },
): Promise<number | undefined> {
  const row = await trx
    .insertInto('enterprise_teams')
    .values({ enterprise_id: team.eid, name: team.name, kind: team.kind })
    .onConflict((conflict) => conflict.columns(['enterprise_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Whether another team of the enterprise has this name. */
export async function isTeamNameTaken(db: Db, eid: number, name: string, exceptId: number): Promise<boolean> {
  const row = await db
    .selectFrom('enterprise_teams')
    .select('id')
    .where('enterprise_id', '=', eid)
    .where('name', '=', name)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateTeamName(trx: Trx, id: number, name: string): Promise<void> {
  await trx.updateTable('enterprise_teams').set({ name }).where('id', '=', id).execute()
}

export async function removeTeam(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('enterprise_teams').where('id', '=', id).execute()
}

export async function listTeamMemberIds(db: Db, teamIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('enterprise_team_members')
    .select('user_id')
    .where(sql<boolean>`team_id = any(${idsOf(teamIds)})`)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Sets exactly these people as the team. */
export async function putTeamMembers(
  trx: Trx,
  team: { id: number; eid: number },
  userIds: readonly number[],
): Promise<void> {
  await trx.deleteFrom('enterprise_team_members').where('team_id', '=', team.id).execute()
  await sql`
    insert into enterprise_team_members (team_id, enterprise_id, user_id)
    select distinct ${team.id}::bigint, ${team.eid}::bigint, unnest(${idsOf(userIds)})`.execute(trx)
}

/** Sets exactly these machines as the team's devices. */
export async function putTeamMachines(
  trx: Trx,
  team: { id: number; eid: number },
  machineIds: readonly number[],
): Promise<void> {
  await trx.deleteFrom('enterprise_team_machines').where('team_id', '=', team.id).execute()
  await sql`
    insert into enterprise_team_machines (team_id, enterprise_id, machine_id)
    select distinct ${team.id}::bigint, ${team.eid}::bigint, unnest(${idsOf(machineIds)})`.execute(trx)
}

/** The teams of a machine. */
export async function listTeamIdsOfMachine(db: Db, eid: number, machineId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('enterprise_team_machines')
    .select('team_id')
    .where('enterprise_id', '=', eid)
    .where('machine_id', '=', machineId)
    .execute()
  return rows.map((row) => row.team_id)
}

/** Gives a machine to one team, or to none. */
export async function putMachineTeam(
  trx: Trx,
  machine: { eid: number; machineId: number },
  teamId: number | undefined,
): Promise<void> {
  await trx
    .deleteFrom('enterprise_team_machines')
    .where('enterprise_id', '=', machine.eid)
    .where('machine_id', '=', machine.machineId)
    .execute()
  if (teamId === undefined) return
  await trx
    .insertInto('enterprise_team_machines')
    .values({ team_id: teamId, enterprise_id: machine.eid, machine_id: machine.machineId })
    .execute()
}
