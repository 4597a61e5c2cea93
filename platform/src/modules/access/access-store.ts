import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'
import type { AccessFacts, AccessGrant, EnterpriseMember } from './access-rules.ts'

/** What the database knows about one user and one machine. */
export interface PairFacts {
  readonly userId: number
  readonly machineId: number
  readonly facts: AccessFacts
}

interface FactsRow {
  user_id: number
  machine_id: number
  code: string
  cloud_service: boolean
  is_owner: boolean
  is_listed: boolean
  is_blacklisted: boolean
  grant_id: number | null
  role: AccessGrant['role']
  until: Date | null
  read_only: boolean
  alarms: boolean
  member_role: EnterpriseMember['role'] | null
  member_rights: EnterpriseMember['rights']
  is_in_team: boolean
}

/** The facts about a user and each of these machines; a machine that does not exist is left out. */
export async function listAccessFacts(
  db: Kysely<DB>,
  userId: number,
  machineIds: readonly number[],
): Promise<Map<number, AccessFacts>> {
  const pairs = await listFacts(db, sql`select ${userId}::bigint, unnest(${[...machineIds]}::bigint[])`)
  return new Map(pairs.map(({ machineId, facts }) => [machineId, facts]))
}

/** The facts about everybody who has one of these machines in the list. */
export async function listAudienceFacts(db: Kysely<DB>, machineIds: readonly number[]): Promise<PairFacts[]> {
  return listFacts(
    db,
    sql`select user_id, machine_id from machine_list_entries where machine_id = any(${[...machineIds]}::bigint[])`,
  )
}

/** The facts about a machine's owner, who belongs to its enterprise, and everybody with a grant; of these `count`. */
export async function listHolderFacts(
  db: Kysely<DB>,
  machineId: number,
  count: number,
): Promise<PairFacts[]> {
  return listFacts(
    db,
    sql`select owner_user_id, id from machines where id = ${machineId} and owner_user_id is not null
        union
        (select member.user_id, machines.id from machines
         join enterprise_members member on member.enterprise_id = machines.owner_enterprise_id
         where machines.id = ${machineId} order by member.joined_at, member.user_id limit ${count})
        union
        (select user_id, machine_id from machine_grants where machine_id = ${machineId} order by id limit ${count})`,
  )
}

/** The one reading of facts; `pairs` answers user and machine. */
async function listFacts(db: Kysely<DB>, pairs: RawBuilder<unknown>): Promise<PairFacts[]> {
  const { rows } = await sql<FactsRow>`
    select pair.user_id, pair.machine_id, machines.code, machines.cloud_service,
           (machines.owner_user_id = pair.user_id) is true as is_owner,
           entry.user_id is not null as is_listed,
           black.user_id is not null as is_blacklisted,
           granted.id as grant_id, granted.role, granted.until, granted.read_only, granted.alarms,
           member.role as member_role, member.rights as member_rights,
           case when member.role = 'member' then exists (
             select from enterprise_team_machines looked_after
             join enterprise_teams team on team.id = looked_after.team_id and team.kind = 'manage'
             join enterprise_team_members mate on mate.team_id = team.id and mate.user_id = pair.user_id
             where looked_after.machine_id = pair.machine_id
               and looked_after.enterprise_id = machines.owner_enterprise_id) else false end as is_in_team
    from (${pairs}) as pair (user_id, machine_id)
    join machines on machines.id = pair.machine_id
    left join machine_grants granted
      on granted.machine_id = pair.machine_id and granted.user_id = pair.user_id
    left join machine_list_entries entry
      on entry.machine_id = pair.machine_id and entry.user_id = pair.user_id
    left join machine_blacklist black
      on black.machine_id = pair.machine_id and black.user_id = pair.user_id
    left join enterprises space on space.id = machines.owner_enterprise_id and space.state = 'active'
    left join enterprise_members member on member.enterprise_id = space.id and member.user_id = pair.user_id
    order by granted.id nulls first`.execute(db)
  return rows.map((row) => ({
    userId: row.user_id,
    machineId: row.machine_id,
    facts: {
      machineCode: row.code,
      cloudService: row.cloud_service,
      isOwner: row.is_owner,
      isListed: row.is_listed,
      isBlacklisted: row.is_blacklisted,
      grant:
        row.grant_id === null
          ? undefined
          : {
              id: row.grant_id,
              role: row.role,
              until: row.until,
              readOnly: row.read_only,
              alarms: row.alarms,
            },
      member:
        row.member_role === null
          ? undefined
          : { role: row.member_role, rights: row.member_rights, isInTeam: row.is_in_team },
    },
  }))
}

/** The machine of a code. */
export async function findMachineIdByCode(db: Kysely<DB>, code: string): Promise<number | undefined> {
  const row = await db.selectFrom('machines').select('id').where('code', '=', code).executeTakeFirst()
  return row?.id
}

/** The machine a grant is for. */
export async function findMachineIdByGrant(db: Kysely<DB>, grantId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('machine_grants')
    .select('machine_id')
    .where('id', '=', grantId)
    .executeTakeFirst()
  return row?.machine_id
}
