import { alarmLimits, type alarms as contract } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { escapeLike } from '../../kernel/database/search.ts'
import type { SpaceMachine } from '../access/index.ts'
import { nameFor } from '../machine-names/index.ts'
import { isRepeat, repeatsBegin } from './alarm-repeats.ts'
import { coverOf, covers, isActive, isCovered, isInForce } from './shelves-store.ts'

type Db = Kysely<DB>

/** The machines that a caller asks about, and how the caller calls them. */
export interface AlarmScope {
  readonly userId: number
  readonly eid: number | undefined
  readonly machines: readonly SpaceMachine[]
}

/** The wanted alarms. */
export interface AlarmFilters {
  readonly level?: readonly contract.AlarmRow['level'][] | undefined
  readonly state?: 'active' | 'cleared' | 'unconfirmed' | 'confirmed' | 'shelved' | 'outOfService' | undefined
  readonly ruleId?: number | undefined
  readonly tagId?: number | undefined
  readonly text?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Only one alarm. */
  readonly alarmId?: number | undefined
  /** `newest`: repeats of an alarm are one row (rules/alarms.md: repeats in lists). */
  readonly repeats?: 'all' | 'newest' | undefined
}

/** A part of a list, and up to how many rows are counted. */
export interface Slice {
  readonly offset: number
  readonly limit: number
  readonly countMax: number
}

export interface AlarmListRow {
  readonly id: number
  readonly machine_id: number
  readonly code: string
  readonly machine_name: string
  readonly key: string
  readonly rule_id: number | null
  readonly tag_id: number | null
  readonly level: contract.AlarmRow['level']
  readonly text: unknown
  readonly value: contract.AlarmRow['value']
  readonly limit_value: contract.AlarmRow['limit']
  readonly instruction: unknown
  readonly count: number
  readonly raised_at: Date
  readonly received_at: Date
  readonly cleared_at: Date | null
  readonly confirmed_at: Date | null
  readonly confirmed_by: number | null
  readonly confirmed_by_name: string | null
  readonly note: string
  readonly shelved_until: Date | null
  readonly out_of_service: boolean | null
  /** How often it was raised by then, and the last times of that; null unless asked for. */
  readonly repeated: number | null
  readonly repeated_at: Date[] | null
}

/** A row may have been received up to this time before its instant: the clocks of machines may be ahead. */
const clockSkewMs = 86_400_000

/** Whether a row is of one of the machines, and of the time of its present owner; `from`: no row is of before. */
export function isOfScope(scope: AlarmScope, row: string, from?: Date): RawBuilder<boolean> {
  const ids = scope.machines.map(({ machineId }) => machineId)
  return sql<boolean>`${sql.ref(`${row}.machine_id`)} = any(${ids}::bigint[]) and ${isOfOwner(scope, row, from)}`
}

/** Whether a row of one of the machines is of the time of its present owner. */
function isOfOwner({ machines }: AlarmScope, row: string, from?: Date): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const begin = from === undefined ? Number.NEGATIVE_INFINITY : from.getTime() - clockSkewMs
  const changed = machines
    .filter(({ ownedSince }) => ownedSince !== undefined && ownedSince >= begin)
    .map(({ machineId }) => machineId)
  // Checked for those machines only: of the others all alarms belong to the present owner.
  if (changed.length === 0) return sql<boolean>`true`
  return sql<boolean>`(not ${column('machine_id')} = any(${changed}::bigint[]) or ${column('received_at')} >=
    (select coalesce(owned.owned_since, '-infinity') from machines owned where owned.id = ${column('machine_id')}))`
}

/** A machine's name for the caller: within an enterprise the one it has there. */
export function nameOfMachine({ userId, eid }: AlarmScope, machine: RawBuilder<unknown>): RawBuilder<string> {
  const own = nameFor(sql`${userId}::bigint`, machine)
  if (eid === undefined) return own
  return sql`coalesce((select device.name from enterprise_machines device
    where device.enterprise_id = ${eid} and device.machine_id = ${machine}), ${own})`
}

/** The condition of the filters for an alarm, by its alias in a statement. */
function conditionOf(alarm: string, filters: AlarmFilters, at: Date): RawBuilder<boolean> {
  const { level, state, ruleId, tagId, text, from, to, alarmId } = filters
  const of = (column: string) => sql.ref(`${alarm}.${column}`)
  const parts: RawBuilder<unknown>[] = []
  if (alarmId !== undefined) parts.push(sql`${of('id')} = ${alarmId}`)
  if (level && level.length > 0) parts.push(sql`${of('level')} = any(${[...level]}::text[])`)
  if (ruleId !== undefined) parts.push(sql`${of('rule_id')} = ${ruleId}`)
  if (tagId !== undefined) parts.push(sql`${of('tag_id')} = ${tagId}`)
  if (from !== undefined) parts.push(sql`${of('raised_at')} >= ${new Date(from)}`)
  if (to !== undefined) parts.push(sql`${of('raised_at')} < ${new Date(to)}`)
  if (text) {
    const pattern = `%${escapeLike(text.toLowerCase())}%`
    parts.push(sql`(lower(${of('key')}) like ${pattern} or exists (
      select from jsonb_each_text(${of('text')}) said where lower(said.value) like ${pattern}))`)
  }
  if (state === 'active') parts.push(isActive(alarm, at))
  if (state === 'shelved' || state === 'outOfService')
    parts.push(sql`${of('cleared_at')} is null and ${isCovered(alarm, at, state)}`)
  if (state === 'cleared') parts.push(sql`${of('cleared_at')} is not null`)
  if (state === 'unconfirmed') parts.push(sql`${of('confirmed_at')} is null`)
  if (state === 'confirmed') parts.push(sql`${of('confirmed_at')} is not null`)
  return sql<boolean>`${parts.length === 0 ? sql`true` : sql.join(parts, sql` and `)}`
}

/** Whether the alarm of a row `alarm` is a row of a list with these filters. */
export function isListed(scope: AlarmScope, filters: AlarmFilters, at: Date): RawBuilder<boolean> {
  const isWanted = sql<boolean>`${isOfScope(scope, 'alarm')} and ${conditionOf('alarm', filters, at)}`
  if (filters.repeats !== 'newest') return isWanted
  // Found by `limit 1` for each alarm: as a join, the planner would read all alarms for one page.
  return sql<boolean>`${isWanted} and (alarm.cleared_at is null or alarm.raised_at < ${repeatsBegin(at)} or alarm.id = (
    select newest.id from alarms newest
    where ${isRepeat('newest', 'alarm')} and (newest.confirmed_at is null or alarm.confirmed_at is not null)
      and ${isOfOwner(scope, 'newest')} and ${conditionOf('newest', filters, at)}
    order by newest.raised_at desc, newest.id desc limit 1))`
}

/** Alarms of a space, the latest first, and how many there are up to `countMax`. */
export async function listAlarmRows(
  db: Db,
  scope: AlarmScope,
  filters: AlarmFilters,
  slice: Slice,
  at: Date,
): Promise<{ rows: AlarmListRow[]; total: number }> {
  if (scope.machines.length === 0) return { rows: [], total: 0 }
  const found = foundBy(scope, filters, at)
  const order = sql`order by alarm.raised_at desc, alarm.id desc`
  const page = sql`select alarm.* ${found} ${order} limit ${slice.limit} offset ${slice.offset}`
  const [rows, total] = await Promise.all([
    readRows(db, scope, filters, { page, order }, at),
    countAlarmRows(db, scope, filters, slice.countMax, at),
  ])
  return { rows, total }
}

/** These alarms of a space, in this order. */
export function listNamedRows(
  db: Db,
  scope: AlarmScope,
  filters: AlarmFilters,
  alarmIds: readonly number[],
  at: Date,
): Promise<AlarmListRow[]> {
  const page = sql`select alarm.*, named.place
    from unnest(${[...alarmIds]}::bigint[]) with ordinality named (id, place)
    join alarms alarm on alarm.id = named.id where ${isOfScope(scope, 'alarm')}`
  return readRows(db, scope, filters, { page, order: sql`order by alarm.place` }, at)
}

/** Number of alarms of a space that match the filters, up to `max`. */
export function countAlarmRows(
  db: Db,
  scope: AlarmScope,
  filters: AlarmFilters,
  max: number,
  at: Date,
): Promise<number> {
  return countUpTo(db, sql`${foundBy(scope, filters, at)} ${countOrder(filters)}`, max)
}

const foundBy = (scope: AlarmScope, filters: AlarmFilters, at: Date) =>
  sql`from alarms alarm where ${isListed(scope, filters, at)}`

async function readRows(
  db: Db,
  scope: AlarmScope,
  filters: Pick<AlarmFilters, 'repeats' | 'from'>,
  { page, order }: { readonly page: RawBuilder<unknown>; readonly order: RawBuilder<unknown> },
  at: Date,
): Promise<AlarmListRow[]> {
  const { rows } = await sql<AlarmListRow>`
    with page as (${page})
    select alarm.id, alarm.machine_id, machines.code, ${nameOfMachine(scope, sql.ref('alarm.machine_id'))} as machine_name,
           alarm.key, alarm.rule_id, alarm.tag_id, alarm.level, alarm.text, alarm.value, alarm.limit_value,
           alarm.instruction, alarm.count, alarm.raised_at, alarm.received_at, alarm.cleared_at, alarm.confirmed_at,
           alarm.confirmed_by, coalesce(person.name, contact.name) as confirmed_by_name, alarm.note, kept.until as shelved_until,
           kept.is_out as out_of_service, repeats.count as repeated, repeats.at as repeated_at
    from page alarm
    join machines on machines.id = alarm.machine_id
    left join users person on person.id = alarm.confirmed_by
    left join alarm_contacts contact on contact.id = alarm.confirmed_contact_id
    left join lateral ${coverOf('alarm', at)} kept on true
    left join lateral ${filters.repeats === 'newest' ? repeatsOf(scope, filters, at) : sql`(select null::int as count, null::timestamptz[] as at)`} repeats on true
    ${order}`.execute(db)
  return rows
}

/** How often the alarm of a row `alarm` was lately raised by then, and the last times of that, the latest first. */
const repeatsOf = (scope: AlarmScope, { from }: Pick<AlarmFilters, 'from'>, at: Date) => sql`(
  select count(*)::int as count, (array_agg(raised_at order by raised_at desc))[:${alarmLimits.alarmRepeatsShown}] as at
  from (
    select raised_at from alarms earlier
    where ${isRepeat('earlier', 'alarm')} and ${isOfOwner(scope, 'earlier')}
      and (earlier.raised_at, earlier.id) <= (alarm.raised_at, alarm.id)
      and earlier.raised_at >= ${new Date(Math.max(from ?? 0, repeatsBegin(at).getTime()))}
    order by earlier.raised_at desc, earlier.id desc limit ${alarmLimits.alarmRepeatsMax}
  ) earlier)`

/** Few alarms stand: they are counted from the index of those, all others in the order of the list. */
function countOrder({ state }: AlarmFilters): RawBuilder<unknown> {
  const stands = state === 'active' || state === 'shelved' || state === 'outOfService'
  return stands ? sql`` : sql`order by alarm.raised_at desc, alarm.id desc`
}

/**
 * Rows of a `from`, counted no further than `max`; in the order of a list, so that they are read from its index and not
 * machine by machine.
 */
export async function countUpTo(db: Db, found: RawBuilder<unknown>, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select ${found} limit ${max}) found`.execute(db)
  return rows[0]?.count ?? 0
}

export interface OpenCounts {
  readonly level: contract.AlarmRow['level']
  /** Out of service before shelved; null: nothing covers these. */
  readonly kept: 'shelved' | 'outOfService' | null
  readonly count: number
}

/** Open alarms of a space by level, and whether something keeps them from asking anybody. */
export async function countOpen(db: Db, scope: AlarmScope, at: Date): Promise<OpenCounts[]> {
  // From the shelvings, of which there are few, to their alarms: asked of each alarm, the look for one takes longer.
  const { rows } = await sql<OpenCounts>`
    with covered as (
      select alarm.id, alarm.level, min(shelve.kind) as kept
      from alarm_shelves shelve
      join alarms alarm on alarm.cleared_at is null and ${covers('shelve', 'alarm')}
      where ${isInForce('shelve', at)} and ${isOfScope(scope, 'alarm')}
      group by alarm.id, alarm.level
    ), kept as (
      select level, kept, count(*)::int as count from covered group by level, kept
    ), open as (
      select alarm.level, count(*)::int as count from alarms alarm
      where alarm.cleared_at is null and ${isOfScope(scope, 'alarm')} group by alarm.level
    )
    select level, kept, count from kept
    union all
    select level, null, count - coalesce((select sum(kept.count) from kept where kept.level = open.level), 0)::int
    from open`.execute(db)
  return rows
}

/** Number of unconfirmed alarms of a space, up to `max`. */
export function countUnconfirmed(db: Db, scope: AlarmScope, max: number): Promise<number> {
  return countUpTo(
    db,
    sql`from alarms alarm where alarm.confirmed_at is null and ${isOfScope(scope, 'alarm')}
        order by alarm.raised_at desc, alarm.id desc`,
    max,
  )
}

/** Raisings by the number of their day, from 1, and the machines with most of them. */
export interface RaisedCounts {
  readonly byDay: ReadonlyMap<number, number>
  readonly top: readonly { readonly machineId: number; readonly raised: number }[]
}

/** When the last `count` days of a zone began, the oldest first, and when the next one does. */
export async function listDays(db: Db, timeZone: string, at: Date, count: number): Promise<Date[]> {
  const { rows } = await sql<{ day: Date }>`
    select day at time zone ${timeZone} as day
    from generate_series(date_trunc('day', ${at}::timestamptz at time zone ${timeZone}) - make_interval(days => ${count - 1}),
      date_trunc('day', ${at}::timestamptz at time zone ${timeZone}) + interval '1 day', interval '1 day') as day
    order by day`.execute(db)
  return rows.map(({ day }) => day)
}

/** Raisings of a space by day and machine; `days`: when each begins, and the end of the last. */
export async function countRaised(
  db: Db,
  scope: AlarmScope,
  days: readonly Date[],
  topMax: number,
): Promise<RaisedCounts> {
  // Two readings of a small index take less than one that adds up by machine and by day.
  const own = sql`event.raisings > 0 and ${isOfScope(scope, 'event', days[0])}`
  const { rows } = await sql<{ machine: number | null; raised: number; byDay: number[] | null }>`
    select null::bigint as machine, 0 as raised, array(
      select coalesce((
        select sum(event.raisings) from alarm_events event
        where event.at >= day.begin and event.at < day.stop and ${own}), 0)::int
      from unnest(${days.slice(0, -1)}::timestamptz[], ${days.slice(1)}::timestamptz[])
        with ordinality as day (begin, stop, place) order by place) as "byDay"
    union all
    (select event.machine_id, sum(event.raisings)::int as raised, null
     from alarm_events event where event.at >= ${days[0]} and event.at < ${days.at(-1)} and ${own}
     group by event.machine_id order by raised desc, event.machine_id limit ${topMax})`.execute(db)
  const byDay = rows.find((row) => row.byDay !== null)?.byDay ?? []
  const top = rows.flatMap(({ machine, raised }) => (machine === null ? [] : { machineId: machine, raised }))
  return {
    byDay: new Map(byDay.map((raised, place) => [place + 1, raised])),
    top: top.sort((a, b) => b.raised - a.raised || a.machineId - b.machineId),
  }
}

/** Codes and names of machines of a space, as the caller calls them. */
export async function listMachineNames(
  db: Db,
  scope: AlarmScope,
  machineIds: readonly number[],
): Promise<Map<number, { machineId: number; machineCode: string; machineName: string }>> {
  const { rows } = await sql<{ machineId: number; machineCode: string; machineName: string }>`
    select machines.id as "machineId", code as "machineCode",
           ${nameOfMachine(scope, sql.ref('machines.id'))} as "machineName"
    from machines where id = any(${[...machineIds]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.machineId, row]))
}
