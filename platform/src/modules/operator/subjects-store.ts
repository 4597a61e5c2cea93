import { sql } from 'kysely'
import { Failure } from '../../kernel/http/failure.ts'
import type { EntrySubject } from '../audit/index.ts'
import { type Db, enterprisesOf, findAccounts, type Page, usersOf } from './operator-store.ts'
import { registerOf } from './register-store.ts'

const count = sql<number>`count(*)`.as('count')

type Range = Pick<Page, 'offset' | 'count'>

/** The subject of an operator's reading of the audit log. Throws 404 for an unknown person or machine. */
export async function subjectOf(
  db: Db,
  asked: {
    readonly aboutUserId?: number | undefined
    readonly aboutMachineId?: number | undefined
    readonly aboutEid?: number | undefined
  },
): Promise<EntrySubject | undefined> {
  const { aboutUserId, aboutMachineId, aboutEid } = asked
  if (aboutUserId !== undefined) {
    const person = await findAccounts(db, aboutUserId)
    if (!person) throw new Failure('404')
    const { email, phone, country_code: country } = person
    const accounts = [...(email ? [email] : []), ...(phone ? [phone, `+${country} ${phone}`] : [])]
    return { userId: aboutUserId, accounts }
  }
  if (aboutMachineId !== undefined) {
    const machine = await registerOf(db).where('machines.id', '=', aboutMachineId).executeTakeFirst()
    if (!machine) throw new Failure('404')
    return { machineCode: machine.code }
  }
  return aboutEid === undefined ? undefined : { eid: aboutEid }
}

/** A person with their settings. */
export async function findUser(db: Db, userId: number) {
  return usersOf(db)
    .where('id', '=', userId)
    .select([
      'lang',
      'time_zone',
      'login_expiry_days',
      'leaves_at',
      sql<boolean>`exists (select from second_factors where user_id = users.id and confirmed_at is not null)`.as(
        'two_factor',
      ),
    ])
    .executeTakeFirst()
}
export type FoundUser = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** Sessions of a person that have not run out, the last used first. */
export async function listSessions(db: Db, userId: number, now: Date, range: Range) {
  const live = db.selectFrom('sessions').where('user_id', '=', userId).where('expires_at', '>', now)
  const [rows, total] = await Promise.all([
    live
      .select(['id', 'terminal_type', 'terminal_name', 'address', 'created_at', 'last_seen_at', 'expires_at'])
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .offset(range.offset)
      .limit(range.count)
      .execute(),
    live.select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type SessionRow = Awaited<ReturnType<typeof listSessions>>['rows'][number]

/** Rights to machines, including the owner's, without visitors' expired ones. */
function rightsOf(db: Db, now: Date) {
  const owned = db
    .selectFrom('machines')
    .where('owner_user_id', 'is not', null)
    .select([
      'id as machine_id',
      'owner_user_id as user_id',
      sql<string>`'akey'`.as('role'),
      sql<number>`1`.as('place'),
      sql<Date | null>`null::timestamptz`.as('until'),
      sql<boolean>`false`.as('read_only'),
      'owned_since as since',
    ])
  const granted = db
    .selectFrom('machine_grants')
    .where((where) => where.or([where('until', 'is', null), where('until', '>', now)]))
    .select([
      'machine_id',
      'user_id',
      'role',
      sql<number>`case role when 'bkey' then 2 else 3 end`.as('place'),
      'until',
      'read_only',
      sql<Date | null>`created_at`.as('since'),
    ])
  return owned.unionAll(granted)
}

/** Machines a person has or may enter, the newest first. */
export async function listMachinesOf(db: Db, userId: number, now: Date, range: Range) {
  const rights = db.selectFrom(rightsOf(db, now).as('held')).where('held.user_id', '=', userId)
  const [rows, total] = await Promise.all([
    registerOf(db)
      .innerJoin(rightsOf(db, now).as('held'), 'held.machine_id', 'machines.id')
      .where('held.user_id', '=', userId)
      .select(['held.role', 'held.until', 'held.read_only'])
      .orderBy('machines.id', 'desc')
      .offset(range.offset)
      .limit(range.count)
      .execute(),
    rights.select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type HeldRow = Awaited<ReturnType<typeof listMachinesOf>>['rows'][number]

/** Enterprises a person belongs to, the first joined first. */
export async function listMemberships(db: Db, userId: number, range: Range) {
  const memberships = db
    .selectFrom('enterprise_members as member')
    .innerJoin('enterprises', 'enterprises.id', 'member.enterprise_id')
    .where('member.user_id', '=', userId)
  const [rows, total] = await Promise.all([
    memberships
      .select(['enterprises.id', 'enterprises.name', 'member.role', 'member.joined_at'])
      .orderBy('member.joined_at')
      .orderBy('enterprises.id')
      .offset(range.offset)
      .limit(range.count)
      .execute(),
    memberships.select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type MembershipRow = Awaited<ReturnType<typeof listMemberships>>['rows'][number]

/** A machine with its settings, the people it has, and the connection it had last. */
export async function findMachine(db: Db, machineId: number, now: Date) {
  const [machine, connection] = await Promise.all([
    registerOf(db)
      .where('machines.id', '=', machineId)
      .select([
        'machines.owner_user_id',
        'machines.owner_enterprise_id',
        'machines.owned_since',
        'machines.cloud_service',
        'machines.check_type',
        'machines.time_zone',
        'machines.clock_offset_ms',
        sql<number>`(select count(*) from machine_grants held
          where held.machine_id = machines.id and held.role = 'bkey')`.as('bkeys'),
        sql<number>`(select count(*) from machine_grants held where held.machine_id = machines.id
          and held.role = 'visitor' and (held.until is null or held.until > ${now}))`.as('visitors'),
      ])
      .executeTakeFirst(),
    db
      .selectFrom('machine_connections')
      .select(['protocol', 'address', 'started_at', 'last_seen_at', 'ended_at'])
      .where('machine_id', '=', machineId)
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return machine && { ...machine, connection }
}
export type FoundMachine = NonNullable<Awaited<ReturnType<typeof findMachine>>>

/** People with a right over a machine: the Akey, Bkeys, then visitors, each by name. */
export async function listHolders(db: Db, machineId: number, now: Date, range: Range) {
  const holders = db
    .selectFrom(rightsOf(db, now).as('held'))
    .innerJoin('users', 'users.id', 'held.user_id')
    .where('held.machine_id', '=', machineId)
  const [rows, total] = await Promise.all([
    holders
      .select(['users.id', 'users.name', 'held.role', 'held.until', 'held.read_only', 'held.since'])
      .orderBy('held.place')
      .orderBy('users.name')
      .orderBy('users.id')
      .offset(range.offset)
      .limit(range.count)
      .execute(),
    holders.select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type HolderRow = Awaited<ReturnType<typeof listHolders>>['rows'][number]

/** An enterprise with its settings. */
export async function findEnterprise(db: Db, eid: number) {
  return enterprisesOf(db)
    .where('id', '=', eid)
    .select([
      'time_zone',
      'platform_name',
      'leaves_at',
      sql<number | null>`(select user_id from enterprise_members member
        where member.enterprise_id = enterprises.id and member.role = 'owner'
        order by member.joined_at limit 1)`.as('owner_user_id'),
    ])
    .executeTakeFirst()
}
export type FoundEnterprise = NonNullable<Awaited<ReturnType<typeof findEnterprise>>>

/** Members of an enterprise, the first joined first. */
export async function listMembers(db: Db, eid: number, range: Range) {
  const members = db
    .selectFrom('enterprise_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .where('member.enterprise_id', '=', eid)
  const [rows, total] = await Promise.all([
    members
      .select(['users.id', 'users.name', 'member.role', 'member.joined_at'])
      .orderBy('member.joined_at')
      .orderBy('users.id')
      .offset(range.offset)
      .limit(range.count)
      .execute(),
    members.select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type MemberRow = Awaited<ReturnType<typeof listMembers>>['rows'][number]

/** Devices of an enterprise, own ones and those of customers, the newest first. */
export async function listMachinesOfEnterprise(db: Db, eid: number, range: Range) {
  const [rows, total] = await Promise.all([
    registerOf(db)
      .innerJoin('enterprise_machines as device', 'device.machine_id', 'machines.id')
      .where('device.enterprise_id', '=', eid)
      .select('device.kind')
      .orderBy('machines.id', 'desc')
      .offset(range.offset)
      .limit(range.count)
      .execute(),
    db
      .selectFrom('enterprise_machines')
      .where('enterprise_id', '=', eid)
      .select(count)
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type DeviceRow = Awaited<ReturnType<typeof listMachinesOfEnterprise>>['rows'][number]

/** Visits of a person or to a machine, the newest first; `total` counts up to `countedMax`. */
export async function listVisits(
  db: Db,
  of: { readonly userId: number } | { readonly machineId: number },
  range: Range,
  countedMax: number,
) {
  const visits = db
    .selectFrom('visits')
    .where((where) =>
      'userId' in of
        ? where('visits.user_id', '=', of.userId)
        : where('visits.machine_id', '=', of.machineId),
    )
  const counted = visits.select(sql<number>`1`.as('one')).limit(countedMax).as('counted')
  const [rows, total] = await Promise.all([
    visits
      .innerJoin('users', 'users.id', 'visits.user_id')
      .innerJoin('machines', 'machines.id', 'visits.machine_id')
      .select([
        'visits.id',
        'visits.user_id',
        'visits.machine_id',
        'visits.target',
        'visits.was_rw',
        'visits.started_at',
        'visits.ended_at',
        'visits.end_reason',
        'users.name as user',
        'machines.name as machine',
        'machines.code',
      ])
      .orderBy('visits.started_at', 'desc')
      .orderBy('visits.id', 'desc')
      .offset(range.offset)
      .limit(range.count)
      .execute(),
    db.selectFrom(counted).select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type VisitRow = Awaited<ReturnType<typeof listVisits>>['rows'][number]
