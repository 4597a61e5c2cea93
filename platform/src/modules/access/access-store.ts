import { type Kysely, type RawBuilder, sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { AccessFacts, AccessGrant, EnterpriseMember, MaintenanceWindow } from './access-rules.ts'

/** The facts about one user and one machine, as the database has them. */
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
  is_leaving: boolean
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
  maintains: boolean
  window_start_at: Date | null
  window_stop_at: Date | null
  window_controls: boolean | null
  serves_alarms: boolean | null
  ports_until: Date | null
}

/** The facts about a user and each of these machines; a machine that does not exist is left out. */
export async function listAccessFacts(
  db: Kysely<DB>,
  userId: number,
  machineIds: readonly number[],
  now: number,
): Promise<Map<number, AccessFacts>> {
  const [machineId, ...others] = machineIds
  if (machineId === undefined) return new Map()
  const pairs =
    others.length === 0
      ? await listFacts(db, sql`select ${userId}::bigint, ${machineId}::bigint`, now, {
          planName: 'facts-of-one',
        })
      : await listFacts(db, sql`select ${userId}::bigint, unnest(${[...machineIds]}::bigint[])`, now, {
          mayMaintain: sql<boolean>`exists (select from enterprise_members where user_id = ${userId})`,
        })
  return new Map(pairs.map(({ machineId, facts }) => [machineId, facts]))
}

/** The facts about each of these pairs of a person and a machine. */
export async function listPairFacts(
  db: Kysely<DB>,
  pairs: readonly { readonly userId: number; readonly machineId: number }[],
  now: number,
): Promise<PairFacts[]> {
  const userIds = pairs.map(({ userId }) => userId)
  const machineIds = pairs.map(({ machineId }) => machineId)
  return listFacts(db, sql`select * from unnest(${userIds}::bigint[], ${machineIds}::bigint[])`, now, {
    mayMaintain: sql<boolean>`exists (select from enterprise_members where user_id = any(${userIds}::bigint[]))`,
  })
}

/** The facts about everybody who has one of these machines in the list. */
export async function listAudienceFacts(
  db: Kysely<DB>,
  machineIds: readonly number[],
  now: number,
): Promise<PairFacts[]> {
  return listFacts(
    db,
    sql`select user_id, machine_id from machine_list_entries where machine_id = any(${[...machineIds]}::bigint[])`,
    now,
  )
}

/**
 * The facts about a machine's owner, who belongs to its enterprise or maintains it, and everybody with a grant; of each
 * of these `count`.
 */
export async function listHolderFacts(
  db: Kysely<DB>,
  machineId: number,
  count: number,
  now: number,
): Promise<PairFacts[]> {
  return listFacts(
    db,
    sql`select owner_user_id, id from machines where id = ${machineId} and owner_user_id is not null
        union
        (select member.user_id, machines.id from machines
         join enterprise_members member on member.enterprise_id = machines.owner_enterprise_id
         where machines.id = ${machineId} order by member.joined_at, member.user_id limit ${count})
        union
        (select member.user_id, device.machine_id from enterprise_machines device
         join enterprise_members member on member.enterprise_id = device.enterprise_id
         where device.machine_id = ${machineId} and device.kind = 'maintained'
         order by member.joined_at, member.user_id limit ${count})
        union
        (select user_id, machine_id from machine_grants where machine_id = ${machineId} order by id limit ${count})`,
    now,
  )
}

/**
 * The facts about everybody who may hold a key of one of these machines and may sign in: owners, Bkeys, management
 * teams.
 */
export async function listKeyFacts(
  db: Kysely<DB>,
  machineIds: readonly number[],
  now: number,
): Promise<PairFacts[]> {
  const ids = sql`${[...machineIds]}::bigint[]`
  return listFacts(
    db,
    sql`select holder.user_id, holder.machine_id from (
          select owner_user_id, id from machines where id = any(${ids})
          union
          select member.user_id, machines.id from machines
          join enterprise_members member on member.enterprise_id = machines.owner_enterprise_id
          where machines.id = any(${ids}) and member.role in ('owner', 'admin')
          union
          select mate.user_id, looked_after.machine_id from enterprise_team_machines looked_after
          join enterprise_teams team on team.id = looked_after.team_id and team.kind = 'manage'
          join enterprise_team_members mate on mate.team_id = team.id
          where looked_after.machine_id = any(${ids})
          union
          select user_id, machine_id from machine_grants where machine_id = any(${ids}) and role = 'bkey'
        ) as holder (user_id, machine_id)
        join users on users.id = holder.user_id and users.state = 'active'`,
    now,
  )
}

/** The facts about everybody who may be notified of the alarms of one of these machines and may sign in. */
export async function listAlarmFacts(
  db: Kysely<DB>,
  machineIds: readonly number[],
  now: number,
): Promise<PairFacts[]> {
  const ids = sql`${[...machineIds]}::bigint[]`
  return listFacts(
    db,
    sql`select holder.user_id, holder.machine_id from (
          select owner_user_id, id from machines where id = any(${ids})
          union
          select member.user_id, machines.id from machines
          join enterprise_members member on member.enterprise_id = machines.owner_enterprise_id
          where machines.id = any(${ids})
            and (member.role <> 'member' or member.rights && array['view', 'control', 'alarm', 'manage'])
          union
          select member.user_id, device.machine_id from enterprise_machines device
          join enterprise_members member on member.enterprise_id = device.enterprise_id
          where device.machine_id = any(${ids}) and device.kind = 'maintained'
          union
          select user_id, machine_id from machine_grants where machine_id = any(${ids})
        ) as holder (user_id, machine_id)
        join users on users.id = holder.user_id and users.state = 'active'`,
    now,
    { planName: 'alarm-audience' },
  )
}

/** The end of a service contract, later than that of any visit. */
const noEnd = sql`timestamptz '9999-01-01'`

/**
 * The only query of these facts, as of `now`; `pairs` gives user and machine. `mayMaintain`: false if none of these
 * users belongs to an enterprise, which saves looking up thousands of machines.
 */
async function listFacts(
  db: Kysely<DB>,
  pairs: RawBuilder<unknown>,
  now: number,
  options: { mayMaintain?: RawBuilder<boolean>; planName?: string } = {},
): Promise<PairFacts[]> {
  const at = sql`${new Date(now)}::timestamptz`
  const mayMaintain = options.mayMaintain ?? sql<boolean>`true`
  const statement = sql<FactsRow>`
    select pair.user_id, pair.machine_id, machines.code, machines.cloud_service,
           (machines.owner_user_id = pair.user_id) is true as is_owner,
           person.leaves_at is not null as is_leaving,
           entry.user_id is not null as is_listed,
           black.user_id is not null as is_blacklisted,
           granted.id as grant_id, granted.role, granted.until, granted.read_only, granted.alarms,
           member.role as member_role, member.rights as member_rights,
           case when member.role = 'member' then exists (
             select from enterprise_team_machines looked_after
             join enterprise_teams team on team.id = looked_after.team_id and team.kind = 'manage'
             join enterprise_team_members mate on mate.team_id = team.id and mate.user_id = pair.user_id
             where looked_after.machine_id = pair.machine_id
               and looked_after.enterprise_id = machines.owner_enterprise_id) else false end as is_in_team,
           maintained.enterprise_id is not null as maintains,
           maintained.start_at as window_start_at, maintained.stop_at as window_stop_at,
           maintained.controls as window_controls, maintained.serves_alarms, maintained.ports_until
    from (${pairs}) as pair (user_id, machine_id)
    join machines on machines.id = pair.machine_id
    join users person on person.id = pair.user_id
    left join machine_grants granted
      on granted.machine_id = pair.machine_id and granted.user_id = pair.user_id
    left join machine_list_entries entry
      on entry.machine_id = pair.machine_id and entry.user_id = pair.user_id
    left join machine_blacklist black
      on black.machine_id = pair.machine_id and black.user_id = pair.user_id
    left join enterprises space on space.id = machines.owner_enterprise_id and space.state = 'active'
    left join enterprise_members member on member.enterprise_id = space.id and member.user_id = pair.user_id
    left join lateral (
      select device.enterprise_id, span.start_at, span.stop_at, 'control' = any(span.scopes) as controls,
             bool_or(span.start_at <= ${at} and 'alarm' = any(span.scopes)) over () as serves_alarms,
             max(coalesce(span.stop_at, ${noEnd}))
               filter (where span.start_at <= ${at} and 'passthrough' = any(span.scopes)) over () as ports_until
      from enterprise_members mate
      join enterprises maker on maker.id = mate.enterprise_id and maker.state = 'active'
      join enterprise_machines device on device.enterprise_id = maker.id and device.kind = 'maintained'
      left join maintenance_windows span
        on span.machine_id = device.machine_id and span.enterprise_id = device.enterprise_id
        and span.state = 'accepted' and (span.stop_at is null or span.stop_at > ${at})
      where ${mayMaintain} and mate.user_id = pair.user_id and device.machine_id = pair.machine_id
        and (mate.role <> 'member' or 'maintain' = any(mate.rights) and exists (
          select from enterprise_team_machines looked_after
          join enterprise_teams team on team.id = looked_after.team_id and team.kind = 'maintain'
          join enterprise_team_members hand on hand.team_id = team.id and hand.user_id = mate.user_id
          where looked_after.machine_id = device.machine_id
            and looked_after.enterprise_id = device.enterprise_id))
      order by span.start_at > ${at},
               case when span.start_at > ${at} then span.start_at end,
               'control' = any(span.scopes) desc, span.stop_at desc
      limit 1) maintained on true
    order by granted.id nulls first`
  const { rows } = await (options.planName ? withKeptPlan(options.planName, statement) : statement).execute(
    db,
  )
  return rows.map((row) => ({
    userId: row.user_id,
    machineId: row.machine_id,
    facts: {
      machineCode: row.code,
      cloudService: row.cloud_service,
      isOwner: row.is_owner,
      isLeaving: row.is_leaving,
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
      maintenance: row.maintains
        ? {
            window: windowOf(row),
            servesAlarms: row.serves_alarms === true,
            portsUntil: row.ports_until ?? undefined,
          }
        : undefined,
    },
  }))
}

function windowOf(row: FactsRow): MaintenanceWindow | undefined {
  const { window_start_at: startAt, window_stop_at: stopAt } = row
  return startAt ? { startAt, stopAt, mayControl: row.window_controls === true } : undefined
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

/**
 * The earliest time at which a person's rights change without anybody's action: to machines of their list, of an
 * enterprise, or to come by a window. Epoch milliseconds, infinite for never.
 */
export async function findNextAccessChange(
  db: Kysely<DB>,
  { userId, enterpriseId }: { readonly userId: number; readonly enterpriseId?: number },
  now: number,
): Promise<number> {
  const at = sql`${new Date(now)}::timestamptz`
  const machines =
    enterpriseId === undefined
      ? sql`select machine_id from machine_list_entries where user_id = ${userId}`
      : sql`select machine_id from enterprise_machines where enterprise_id = ${enterpriseId}`
  const { rows } = await sql<{ next: Date | null }>`
    select min(at) as next from (
      select until from machine_grants where user_id = ${userId} and until > ${at}
      union all
      select expires_at from applications
      where user_id = ${userId} and ended_at is null and expires_at > ${at}
      union all
      select least(case when start_at > ${at} then start_at end, stop_at) from maintenance_windows
      where state in ('accepted', 'suspended') and (stop_at is null or stop_at > ${at})
        and exists (select from enterprise_members where user_id = ${userId})
        and machine_id in (${machines})
    ) as next (at)`.execute(db)
  return rows[0]?.next?.getTime() ?? Number.POSITIVE_INFINITY
}
