import type { alarms as contract } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { ShelveChange } from './alarm-change.ts'

type Db = Kysely<DB>

/** The alarms of a shelving. */
export interface Covered {
  readonly scope: contract.ShelveScope
  readonly key?: string | undefined
  readonly ruleId?: number | undefined
  readonly tagId?: number | undefined
}

export interface NewShelve extends Covered {
  readonly machineId: number
  readonly kind: 'shelved' | 'outOfService'
  /** Undefined only for `outOfService`. */
  readonly until?: Date | undefined
  readonly reason: string
  readonly userId: number
  readonly at: Date
  /** The alarm from which a person did it. */
  readonly alarmId?: number | undefined
}

/** Whether a shelving is in force at an instant; one whose time is over counts as ended before anything ends it. */
export const isInForce = (shelve: string, at: Date): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${shelve}.${column}`)
  return sql`${of('ended_at')} is null and (${of('until')} is null or ${of('until')} > ${at}::timestamptz)`
}

/** Whether a shelving covers an alarm, by the aliases of both in a statement. */
export const covers = (shelve: string, alarm: string): RawBuilder<boolean> => {
  const [of, its] = [
    (name: string) => sql.ref(`${shelve}.${name}`),
    (name: string) => sql.ref(`${alarm}.${name}`),
  ]
  return sql`${of('machine_id')} = ${its('machine_id')} and (${of('scope')} = 'machine'
    or ${of('scope')} = 'alarm' and ${its('rule_id')} is null and ${of('key')} = ${its('key')}
    or ${of('scope')} = 'rule' and ${of('rule_id')} = ${its('rule_id')}
    or ${of('scope')} = 'tag' and ${of('tag_id')} = ${its('tag_id')})`
}

/** Whether a shelving in force covers an alarm, by its alias in a statement; `kind`: one of this kind. */
export const isCovered = (alarm: string, at: Date, kind?: NewShelve['kind']) => sql<boolean>`exists (
  select from alarm_shelves shelve where ${covers('shelve', alarm)} and ${isInForce('shelve', at)}
  ${kind === undefined ? sql`` : sql`and shelve.kind = ${kind}`})`

/** Whether an alarm is active: it stands, and nothing covers it. All counts of active alarms are of these. */
export const isActive = (alarm: string, at: Date) =>
  sql<boolean>`${sql.ref(`${alarm}.cleared_at`)} is null and not ${isCovered(alarm, at)}`

/**
 * Why an alarm notifies nobody, by its alias in a statement: until when it is shelved, and whether it is out of
 * service.
 */
export const coverOf = (alarm: string, at: Date) => sql<{ until: Date | null; is_out: boolean | null }>`(
  select max(shelve.until) as until, bool_or(shelve.kind = 'outOfService') as is_out
  from alarm_shelves shelve where ${covers('shelve', alarm)} and ${isInForce('shelve', at)})`

/** An alarm by its id, of its machine's present owner. */
export async function findAlarmKey(db: Db, machineId: number, alarmId: number) {
  return db
    .selectFrom('alarms')
    .select(['key', 'rule_id'])
    .where('id', '=', alarmId)
    .where('machine_id', '=', machineId)
    .where(isSinceOwned(machineId, 'alarms.received_at'))
    .executeTakeFirst()
}

/** Locks a machine's shelvings against other changes of them, and counts those in force. */
export async function lockShelves(trx: Db, machineId: number, at: Date): Promise<number> {
  await sql`select from machines where id = ${machineId} for no key update`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from alarm_shelves shelve
    where machine_id = ${machineId} and ${isInForce('shelve', at)}`.execute(trx)
  return rows[0]?.count ?? 0
}

interface ShelveRow {
  id: number
  machine_id: number
  kind: NewShelve['kind']
  scope: Covered['scope']
  key: string | null
  rule_id: number | null
  tag_id: number | null
  until: Date | null
}

/**
 * Writes a shelving with its event; one of the same kind over the same alarms ends, so that the latest end counts.
 * Answers the changes, the new shelving's last.
 */
export async function createShelve(trx: Db, shelve: NewShelve): Promise<ShelveChange[]> {
  const { machineId, kind, scope, key = null, ruleId = null, tagId = null, until = null, userId, at } = shelve
  const replaced = await endShelves(
    trx,
    sql`machine_id = ${machineId} and kind = ${kind} and scope = ${scope} and key is not distinct from ${key}
      and rule_id is not distinct from ${ruleId}::bigint and tag_id is not distinct from ${tagId}::bigint`,
    { at, reason: 'replaced', userId, tellsEvent: false },
  )
  const { rows } = await sql<ShelveRow>`
    with made as (
      insert into alarm_shelves (machine_id, kind, scope, key, rule_id, tag_id, until, reason, by_user_id, created_at)
      values (${machineId}, ${kind}, ${scope}, ${key}, ${ruleId}, ${tagId}, ${until}, ${shelve.reason}, ${userId}, ${at})
      returning *
    ), event as (
      insert into alarm_events (alarm_id, shelve_id, machine_id, kind, at, received_at, user_id, note)
      select ${shelve.alarmId ?? null}::bigint, id, machine_id, kind, ${at}, ${at}, ${userId}, reason from made
    )
    select * from made`.execute(trx)
  return [...replaced, ...rows.map((row) => changeOf(row, kindOf(row.kind, true), at, userId))]
}

export interface ShelveEnd {
  readonly at: Date
  readonly reason: 'time' | 'person' | 'owner' | 'replaced'
  readonly userId?: number | undefined
  /** Whether the journal includes the end; the event of the next shelving already reports one that it replaces. */
  readonly tellsEvent?: boolean
}

/** Ends the open shelvings of a condition, each with its event; answers the changes. */
export async function endShelves(
  trx: Db,
  condition: RawBuilder<unknown>,
  { at, reason, userId, tellsEvent = true }: ShelveEnd,
): Promise<ShelveChange[]> {
  const by = userId ?? null
  const { rows } = await sql<ShelveRow>`
    with open as (
      select id from alarm_shelves where ended_at is null and ${condition} order by id for update
    ), ended as (
      update alarm_shelves
      set ended_at = case when ${reason} = 'time' then until else ${at}::timestamptz end, ended_by = ${by}, end_reason = ${reason}
      from open where alarm_shelves.id = open.id
      returning alarm_shelves.*
    ), events as (
      insert into alarm_events (alarm_id, shelve_id, machine_id, kind, at, received_at, user_id)
      select (select alarm_id from alarm_events begun where begun.machine_id = ended.machine_id
                and begun.shelve_id = ended.id and begun.alarm_id is not null limit 1),
             id, machine_id, case kind when 'shelved' then 'unshelved' else 'inService' end, ended_at, ${at}, ${by}
      from ended where ${tellsEvent} order by id
    )
    select * from ended order by id`.execute(trx)
  return tellsEvent ? rows.map((row) => changeOf(row, kindOf(row.kind, false), at, userId)) : []
}

/** The machine of a shelving, of the machine's present owner. */
export async function findShelveMachine(db: Db, shelveId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('alarm_shelves')
    .select('machine_id')
    .where('id', '=', shelveId)
    .where(isSinceOwned({ column: 'alarm_shelves.machine_id' }, 'alarm_shelves.created_at'))
    .executeTakeFirst()
  return row?.machine_id
}

/** Shelvings in force over alarms of these machines: readers that notify people leave those alarms out. */
export async function listShelvesInForce(
  db: Db,
  machineIds: readonly number[],
  at: Date,
): Promise<(Covered & { readonly machineId: number; readonly kind: NewShelve['kind'] })[]> {
  const { rows } = await withKeptPlan(
    'shelves-in-force',
    sql<ShelveRow>`
    select * from alarm_shelves shelve
    where machine_id = any(${[...machineIds]}::bigint[]) and ${isInForce('shelve', at)}`,
  ).execute(db)
  return rows.map((row) => ({ machineId: row.machine_id, kind: row.kind, ...coveredBy(row) }))
}

const kindOf = (kind: NewShelve['kind'], begins: boolean): ShelveChange['kind'] => {
  if (kind === 'shelved') return begins ? 'alarm.shelved' : 'alarm.unshelved'
  return begins ? 'alarm.outOfService' : 'alarm.inService'
}

function coveredBy({ scope, key, rule_id: ruleId, tag_id: tagId }: ShelveRow) {
  return {
    scope,
    ...(key !== null && { key }),
    ...(ruleId !== null && { ruleId }),
    ...(tagId !== null && { tagId }),
  }
}

function changeOf(row: ShelveRow, kind: ShelveChange['kind'], at: Date, userId?: number): ShelveChange {
  return {
    kind,
    machineId: row.machine_id,
    shelveId: row.id,
    ...coveredBy(row),
    ...(row.until !== null && { until: row.until.getTime() }),
    at: at.getTime(),
    ...(userId !== undefined && { userId }),
  }
}
