import { type Kysely, sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { urgencyOf } from './alarm-urgency.ts'
import { coverOf, covers, isActive, isCovered, isInForce } from './shelves-store.ts'

type Db = Kysely<DB>

/** A machine's alarms that are shown one by one. */
const shownMax = 200

/** Alarms from before the present owner are not shown; a machine's clock may be ahead, so the arrival counts. */
const isOfOwner = isSinceOwned({ column: 'alarms.machine_id' }, 'alarms.received_at')
const severity = sql`array_position(array['critical', 'major', 'minor', 'info'], level)`
const worst = sql<string>`(array_agg(level order by ${severity}))[1]`

/** The active alarms of one machine in numbers: those that stand, without covered ones. */
export interface OpenAlarms {
  readonly open: number
  /** The worst level among them. */
  readonly worst: string
}

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

/** A machine's open alarms by need, at most 200. */
export async function listOpenAlarms(db: Db, machineId: number, now: number) {
  return db
    .selectFrom('alarms')
    .leftJoinLateral(coverOf('alarms', new Date(now)).as('kept'), (join) => join.onTrue())
    .select(['id', 'key', 'rule_id', 'level', 'text', 'raised_at', 'count', 'confirmed_at'])
    .select(['kept.until as shelved_until', 'kept.is_out as out_of_service'])
    .where('machine_id', '=', machineId)
    .where('cleared_at', 'is', null)
    .orderBy(isCovered('alarms', new Date(now)))
    .orderBy(urgencyOf('alarms'), 'desc')
    .orderBy('raised_at', 'desc')
    .limit(shownMax)
    .execute()
}

/** An open alarm as a machine's page shows it. */
export type OpenAlarmRow = Awaited<ReturnType<typeof listOpenAlarms>>[number]

/** Active alarms of each machine that has any. */
export async function countOpenAlarms(
  db: Db,
  machineIds: readonly number[],
  at: Date,
): Promise<Map<number, OpenAlarms>> {
  const { rows } = await sql<OpenAlarms & { machine_id: number }>`
    select machine_id, count(*)::int as open, ${worst} as worst
    from alarms
    where machine_id = any(${[...machineIds]}::bigint[]) and ${isActive('alarms', at)}
    group by machine_id`.execute(db)
  return new Map(rows.map((row) => [row.machine_id, row]))
}

/**
 * A table expression `alarm` for a join: active alarms of each machine of the column `machine_id` of `machines`, counted
 * for all of them at once. For thousands of machines, a query of each one's alarms would take longer than the rest of a
 * list.
 */
export function openAlarmsOf(machines: string, at: Date) {
  return sql<{ machine_id: number; open: number; unconfirmed: number; worst: string }>`(
    select machine_id, count(*) as open, count(*) filter (where confirmed_at is null) as unconfirmed, ${worst} as worst
    from alarms
    where ${isActive('alarms', at)} and machine_id in (select ${sql.ref(`${machines}.machine_id`)} from ${sql.table(machines)})
    group by machine_id)`.as<'alarm'>(sql.ref('alarm'))
}

/** A time in which a critical or major alarm of a machine was open, epoch milliseconds. */
export interface FaultSpan {
  readonly machineId: number
  readonly from: number
  readonly to: number
}

/** Times between `from` and `to` in which a critical or major alarm of a machine was open; one that stands lasts until `to`. */
export async function listFaultSpans(
  db: Db,
  machineIds: readonly number[],
  from: number,
  to: number,
): Promise<FaultSpan[]> {
  const { rows } = await sql<FaultSpan>`
    select machine_id as "machineId", (extract(epoch from raised_at) * 1000)::float8 as "from",
           (extract(epoch from coalesce(cleared_at, ${new Date(to)})) * 1000)::float8 as "to"
    from alarms
    where machine_id = any(${[...machineIds]}::bigint[]) and level in ('critical', 'major')
      and ${isOfOwner}
      and raised_at < ${new Date(to)} and (cleared_at is null or cleared_at > ${new Date(from)})`.execute(db)
  return rows
}

/** The machine of an alarm, where that is of the time of the machine's present owner. */
export async function findAlarmMachine(db: Db, alarmId: number): Promise<number | undefined> {
  const machineIds = await listAlarmMachines(db, [alarmId])
  return machineIds?.[0]
}

/** The machines of alarms; undefined if one of them does not exist, or is from the time of a former owner. */
export async function listAlarmMachines(
  db: Db,
  alarmIds: readonly number[],
): Promise<readonly number[] | undefined> {
  const rows = await db
    .selectFrom('alarms')
    .select(['id', 'machine_id'])
    .where('id', 'in', alarmIds)
    .where(isOfOwner)
    .execute()
  if (rows.length !== new Set(alarmIds).size) return undefined
  return [...new Set(rows.map(({ machine_id }) => machine_id))]
}

/** The existing ones of some alarms, from the time of their machine's present owner, with their names. */
export async function listAlarmsWithMachines(db: Db, alarmIds: readonly number[]) {
  return db
    .selectFrom('alarms')
    .select(['id', 'machine_id as machineId', 'rule_id as ruleId', 'key'])
    .where('id', 'in', alarmIds)
    .where(isOfOwner)
    .execute()
}

/** The shelving in force that covers an alarm, out of service before shelved. */
export async function findCover(db: Db, alarmId: number, now: number) {
  const { rows } = await sql<{ id: number; reason: string; userId: number | null; name: string | null }>`
    select shelve.id, shelve.reason, shelve.by_user_id as "userId", person.name
    from alarms alarm
    join alarm_shelves shelve on ${covers('shelve', 'alarm')}
    left join users person on person.id = shelve.by_user_id
    where alarm.id = ${alarmId} and ${isInForce('shelve', new Date(now))}
    order by shelve.kind, shelve.until desc limit 1`.execute(db)
  return rows[0]
}
