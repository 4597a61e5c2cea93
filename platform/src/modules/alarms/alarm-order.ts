import type { alarms as contract, Lang } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { levelPlace, urgencyOf } from './alarm-urgency.ts'
import {
  type AlarmFilters,
  type AlarmScope,
  isListed,
  isOfScope,
  listMachineNames,
  type Slice,
} from './centre-store.ts'
import { isCovered } from './shelves-store.ts'

type Db = Kysely<DB>

/** The order of a list, and after which of its alarms a page begins. */
export interface AlarmOrder {
  readonly sort: contract.AlarmSort
  readonly isDescending: boolean
  readonly after?: Cursor | undefined
}

/** An alarm of a list, with its segment: the place in the list of levels or states, or its machine. */
export interface Cursor {
  readonly segment: number
  readonly alarmId: number
}

/** Reads a cursor of the contract's form. */
export function readCursor(text: string): Cursor {
  const [segment = '', alarmId = ''] = text.split('.')
  return { segment: Number(segment), alarmId: Number(alarmId) }
}

export const writeCursor = ({ segment, alarmId }: Cursor): string => `${segment}.${alarmId}`

/** A value of an alarm that orders rows. */
interface Key {
  readonly value: RawBuilder<unknown>
  readonly type: RawBuilder<unknown>
}

const raisedAt: Key = { value: sql.ref('alarm.raised_at'), type: sql.raw('timestamptz') }
const clearedAt: Key = { value: sql.ref('alarm.cleared_at'), type: sql.raw('timestamptz') }
const urgency: Key = { value: urgencyOf('alarm'), type: sql.raw('int') }
const level: Key = { value: levelPlace('alarm'), type: sql.raw('int') }

/**
 * A part of a list in which the same values order the rows. A list by level is four of them, each read from the index of
 * the times of raising, so that a page is found without sorting all alarms.
 */
interface Segment {
  readonly id: number
  readonly condition: RawBuilder<unknown>
  readonly keys: readonly Key[]
  readonly isDescending: boolean
}

const levels: readonly contract.AlarmRow['level'][] = ['critical', 'major', 'minor', 'info']
const stateConditions = [
  sql`alarm.cleared_at is null and alarm.confirmed_at is null`,
  sql`alarm.cleared_at is null and alarm.confirmed_at is not null`,
  sql`alarm.cleared_at is not null and alarm.confirmed_at is null`,
  sql`alarm.cleared_at is not null and alarm.confirmed_at is not null`,
]

/** Alarms by need: those that ask, the shelved ones, and those that are over and acknowledged. */
function needSegments(at: Date, isDescending: boolean): readonly Segment[] {
  const covered = isCovered('alarm', at)
  const isOver = sql`alarm.cleared_at is not null and alarm.confirmed_at is not null`
  const asks = sql`(alarm.cleared_at is null or alarm.confirmed_at is null)`
  const segments = [
    { id: 0, condition: sql`${asks} and not ${covered}`, keys: [urgency, raisedAt] },
    { id: 1, condition: sql`${asks} and ${covered}`, keys: [level, raisedAt] },
    { id: 2, condition: isOver, keys: [urgency, raisedAt] },
  ].map((segment) => ({ ...segment, isDescending: !isDescending }))
  return isDescending ? segments.toReversed() : segments
}

function segmentsOf(
  sort: Exclude<contract.AlarmSort, 'machine'>,
  isDescending: boolean,
  at: Date,
): readonly Segment[] {
  if (sort === 'need') return needSegments(at, isDescending)
  const byTime = { keys: [raisedAt], isDescending: true }
  if (sort === 'raised') return [{ ...byTime, id: 0, condition: sql`true`, isDescending }]
  if (sort === 'cleared') {
    const cleared = { id: 0, condition: sql`alarm.cleared_at is not null`, keys: [clearedAt] }
    return [
      { ...cleared, isDescending },
      { ...byTime, id: 1, condition: sql`alarm.cleared_at is null` },
    ]
  }
  const conditions = sort === 'level' ? levels.map((level) => sql`alarm.level = ${level}`) : stateConditions
  const segments = conditions.map((condition, id) => ({ ...byTime, id, condition }))
  return isDescending ? segments.toReversed() : segments
}

/** Number of machines in the first read; it doubles each time. */
const machinesAtFirst = 64

interface Asked {
  readonly db: Db
  readonly scope: AlarmScope
  readonly filters: AlarmFilters
  readonly at: Date
}

/** The alarms of a page in their order; one more than the limit if there is another page. */
export async function listOrdered(
  asked: Asked,
  { sort, isDescending, after }: AlarmOrder,
  { offset, limit }: Pick<Slice, 'offset' | 'limit'>,
  lang: Lang,
): Promise<Cursor[]> {
  const wanted = offset + limit
  const found =
    sort === 'machine'
      ? await readMachines(asked, await sortMachines(asked, isDescending, lang), after, wanted)
      : await readSegments(asked, segmentsOf(sort, isDescending, asked.at), after, wanted)
  return found.slice(offset)
}

async function readSegments(
  asked: Asked,
  segments: readonly Segment[],
  after: Cursor | undefined,
  wanted: number,
): Promise<Cursor[]> {
  const found: Cursor[] = []
  const begin = after === undefined ? 0 : segments.findIndex(({ id }) => id === after.segment)
  if (begin < 0) return []
  for (const segment of segments.slice(begin)) {
    const isFirst = segment.id === after?.segment
    found.push(
      ...(await readSegment(asked, segment, isFirst ? after?.alarmId : undefined, wanted - found.length)),
    )
    if (found.length >= wanted) break
  }
  return found
}

async function readSegment(
  { db, scope, filters, at }: Asked,
  { id, condition, keys, isDescending }: Segment,
  afterId: number | undefined,
  limit: number,
): Promise<Cursor[]> {
  const isAfter = afterId === undefined ? sql`true` : await findBound(db, scope, keys, isDescending, afterId)
  if (!isAfter) return []
  const order = isDescending ? sql.raw('desc') : sql.raw('asc')
  const by = [...keys.map(({ value }) => value), sql.ref('alarm.id')].map((value) => sql`${value} ${order}`)
  const { rows } = await sql<{ alarmId: number }>`
    select alarm.id as "alarmId" from alarms alarm
    where ${isListed(scope, filters, at)} and ${condition} and ${isAfter}
    order by ${sql.join(by)} limit ${limit}`.execute(db)
  return rows.map(({ alarmId }) => ({ segment: id, alarmId }))
}

/** The row of an alarm as a bound; undefined if it is not in the space. Its times are read to the microsecond. */
async function findBound(
  db: Db,
  scope: AlarmScope,
  keys: readonly Key[],
  isDescending: boolean,
  alarmId: number,
): Promise<RawBuilder<unknown> | undefined> {
  const { rows } = await sql<{ bound: (string | null)[] }>`
    select array[${sql.join(keys.map(({ value }) => sql`${value}::text`))}] as bound from alarms alarm
    where alarm.id = ${alarmId} and ${isOfScope(scope, 'alarm')}`.execute(db)
  const bound = rows[0]?.bound
  if (!bound || bound.includes(null)) return undefined
  const compare = isDescending ? sql.raw('<') : sql.raw('>')
  const values = keys.map(({ type }, place) => sql`${bound[place]}::${type}`)
  return sql`(${sql.join(keys.map(({ value }) => value))}, alarm.id) ${compare} (${sql.join(values)}, ${alarmId}::bigint)`
}

/** The machines of a space by their names for the reader. */
async function sortMachines({ db, scope }: Asked, isDescending: boolean, lang: Lang): Promise<number[]> {
  const ids = scope.machines.map(({ machineId }) => machineId)
  const names = [...(await listMachineNames(db, scope, ids)).values()]
  const { compare } = new Intl.Collator(lang === 'cn' ? 'zh' : 'en', { numeric: true })
  const sorted = names
    .sort((a, b) => compare(a.machineName, b.machineName) || a.machineId - b.machineId)
    .map(({ machineId }) => machineId)
  return isDescending ? sorted.reverse() : sorted
}

async function readMachines(
  asked: Asked,
  machineIds: readonly number[],
  after: Cursor | undefined,
  wanted: number,
): Promise<Cursor[]> {
  const found: Cursor[] = []
  let place = after === undefined ? 0 : machineIds.indexOf(after.segment)
  if (place < 0) return []
  if (after) {
    const segment = { id: after.segment, condition: sql`alarm.machine_id = ${after.segment}` } as const
    const byTime = { keys: [raisedAt], isDescending: true }
    found.push(...(await readSegment(asked, { ...segment, ...byTime }, after.alarmId, wanted)))
    place++
  }
  for (let count = machinesAtFirst; found.length < wanted && place < machineIds.length; count *= 2) {
    const part = machineIds.slice(place, place + count)
    found.push(...(await readPart(asked, part, wanted - found.length)))
    place += count
  }
  return found
}

async function readPart(
  { db, scope, filters, at }: Asked,
  machineIds: readonly number[],
  limit: number,
): Promise<Cursor[]> {
  const part = new Set(machineIds)
  const own = { ...scope, machines: scope.machines.filter(({ machineId }) => part.has(machineId)) }
  const { rows } = await sql<Cursor>`
    select named.id as segment, found.id as "alarmId"
    from unnest(${[...machineIds]}::bigint[]) with ordinality named (id, place)
    cross join lateral (
      select alarm.id, alarm.raised_at from alarms alarm
      where alarm.machine_id = named.id and ${isListed(own, filters, at)}
      order by alarm.raised_at desc, alarm.id desc limit ${limit}
    ) found
    order by named.place, found.raised_at desc, found.id desc limit ${limit}`.execute(db)
  return rows
}
