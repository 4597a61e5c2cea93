import type { alarms as contract, Lang } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import {
  type AlarmFilters,
  type AlarmScope,
  conditionOf,
  isOfScope,
  listMachineNames,
  type Slice,
} from './centre-store.ts'

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

/**
 * A part of a list in which one column orders the rows. A list by level is four of them, each read from the index of the
 * times of raising, so that a page is found without sorting all alarms.
 */
interface Segment {
  readonly id: number
  readonly condition: RawBuilder<unknown>
  readonly column: 'raised_at' | 'cleared_at'
  readonly isDescending: boolean
}

const levels: readonly contract.AlarmRow['level'][] = ['critical', 'major', 'minor', 'info']
const stateConditions = [
  sql`alarm.cleared_at is null and alarm.confirmed_at is null`,
  sql`alarm.cleared_at is null and alarm.confirmed_at is not null`,
  sql`alarm.cleared_at is not null and alarm.confirmed_at is null`,
  sql`alarm.cleared_at is not null and alarm.confirmed_at is not null`,
]

function segmentsOf(sort: Exclude<contract.AlarmSort, 'machine'>, isDescending: boolean): readonly Segment[] {
  const byTime = { column: 'raised_at', isDescending: true } as const
  if (sort === 'raised') return [{ ...byTime, id: 0, condition: sql`true`, isDescending }]
  if (sort === 'cleared') {
    const cleared = { id: 0, condition: sql`alarm.cleared_at is not null`, column: 'cleared_at' } as const
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
      : await readSegments(asked, segmentsOf(sort, isDescending), after, wanted)
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
  { id, condition, column, isDescending }: Segment,
  afterId: number | undefined,
  limit: number,
): Promise<Cursor[]> {
  const isAfter =
    afterId === undefined ? sql`true` : await findBound(db, scope, column, isDescending, afterId)
  if (!isAfter) return []
  const order = isDescending ? sql.raw('desc') : sql.raw('asc')
  const { rows } = await sql<{ alarmId: number }>`
    select alarm.id as "alarmId" from alarms alarm
    where ${isOfScope(scope, 'alarm')} and ${conditionOf(filters, at)} and ${condition} and ${isAfter}
    order by ${sql.ref(`alarm.${column}`)} ${order}, alarm.id ${order} limit ${limit}`.execute(db)
  return rows.map(({ alarmId }) => ({ segment: id, alarmId }))
}

/** The row of an alarm as a bound; undefined if it is not in the space. Its time is read to the microsecond. */
async function findBound(
  db: Db,
  scope: AlarmScope,
  column: Segment['column'],
  isDescending: boolean,
  alarmId: number,
): Promise<RawBuilder<unknown> | undefined> {
  const { rows } = await sql<{ time: string | null }>`
    select ${sql.ref(`alarm.${column}`)}::text as time from alarms alarm
    where alarm.id = ${alarmId} and ${isOfScope(scope, 'alarm')}`.execute(db)
  const time = rows[0]?.time
  if (time == null) return undefined
  const compare = isDescending ? sql.raw('<') : sql.raw('>')
  return sql`(${sql.ref(`alarm.${column}`)}, alarm.id) ${compare} (${time}::timestamptz, ${alarmId}::bigint)`
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
    const byTime = { column: 'raised_at', isDescending: true } as const
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
      where alarm.machine_id = named.id and ${isOfScope(own, 'alarm')} and ${conditionOf(filters, at)}
      order by alarm.raised_at desc, alarm.id desc limit ${limit}
    ) found
    order by named.place, found.raised_at desc, found.id desc limit ${limit}`.execute(db)
  return rows
}
