import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import type { BucketRow, HistoryRow } from './history-rows.ts'
import { sparkBucketMs } from './spark-ring.ts'
import { type AutoPoints, AutoTaker } from './store/auto-taker.ts'
import { stepMs } from './store/averages.ts'
import { type BucketAggregate, Buckets } from './store/buckets.ts'
import { hoursOf } from './store/chunk-fetch.ts'
import { hourMs } from './store/chunk-rows.ts'
import { CounterRise, type Counters } from './store/counter-rise.ts'
import { averageStepOf } from './store/covered-hours.ts'
import type { DamagedSpan } from './store/damaged-chunks.ts'
import { RawPoints, WithNeighbours } from './store/point-takers.ts'
import {
  type CounterTag,
  closeCounters,
  counterFrom,
  hasFewBefore,
  isCounterType,
  openCounters,
  readRises,
} from './store/rise-reading.ts'
import type { SampleReads, TimeSpan, TypedTag } from './store/sample-reads.ts'
import { storedValue } from './tag-registry.ts'
import { listTagTypes } from './tag-types-store.ts'

export interface SparkBucket {
  readonly tagId: number
  readonly at: number
  readonly mean: number
  readonly count: number
}

/** Means of numbers and switches in buckets of a sparkline; `to` included. */
export async function listSparkBuckets(
  { db, reads }: { readonly db: Database; readonly reads: SampleReads },
  tagIds: readonly number[],
  from: number,
  to: number,
): Promise<SparkBucket[]> {
  const found: SparkBucket[] = []
  const numeric = (await listTagTypes(db, tagIds)).filter(({ type }) => type !== 'string')
  // Switches have means here, as numbers do.
  const options = { type: 'float64', agg: 'avg', from: 0, intervalMs: sparkBucketMs } as const
  const tags = numeric.map(({ id, type }) => ({ id, type, taker: new Buckets(id, options) }))
  await reads.read(tags, { from, to: to + 1 })
  for (const { taker } of tags)
    for (const { tagId, at, value, counted } of taker.finish())
      if (counted > 0) found.push({ tagId, at, mean: Number(value), count: counted })
  return found
}

/** A stretch of time of a history; `signal` ends a reading that is no longer wanted. */
export interface HistoryQuery extends TimeSpan {
  readonly signal?: AbortSignal | undefined
  /** More samples are not read: `TooManySamples` is thrown. */
  readonly samplesMax?: number | undefined
}

/** The rows that were read, and the damaged places. */
export interface Found<Rows> {
  readonly rows: ReadonlyMap<number, Rows>
  readonly damaged: readonly DamagedSpan[]
}

/** The stored samples one by one, at most `pointsMax` of each tag. */
export async function listRawPoints(
  reads: SampleReads,
  tags: readonly TypedTag[],
  query: HistoryQuery,
  pointsMax: number,
): Promise<Found<readonly HistoryRow[]>> {
  const takings = tags.map(({ id, type }) => ({ id, type, taker: new RawPoints(id, pointsMax) }))
  const damaged = await reads.read(takings, query, { ...query, firstOfEach: pointsMax })
  return { rows: new Map(takings.map(({ id, taker }) => [id, taker.points])), damaged }
}

/** A tag with the form of its intervals. */
export interface BucketTag extends CounterTag {
  readonly agg: BucketAggregate
}

/**
 * One value for each interval, beginning at `from`; intervals without a sample are left out. `counters`: those of the
 * stretch that ended at `from`, which are replaced by those at `to`.
 */
export async function listBuckets(
  reads: SampleReads,
  tags: readonly BucketTag[],
  query: HistoryQuery,
  intervalMs: number,
  counters: Counters = new Map(),
): Promise<Found<readonly BucketRow[]>> {
  const { from, to, signal } = query
  const averages = averageStepOf(from, intervalMs)
  const rising = tags.filter(
    ({ id, agg, type }) => agg === 'delta' && isCounterType(type) && !counters.has(id),
  )
  const options = { from, to, intervalMs, averagesMs: averages && stepMs(averages) }
  const read = (some: readonly BucketTag[], span: HistoryQuery) =>
    readRises(
      () =>
        some.map(({ id, type, agg, resets }) => {
          const counter = counters.get(id) ?? new CounterRise(type === 'int64', resets)
          return { id, type, taker: new Buckets(id, { ...options, type, agg, counter }) }
        }),
      (takings, more) => reads.read(takings, span, { ...span, averages, ...more }),
    )
  // With averages of hours the counters are read together with the intervals: they are few rows more. Minutes of two days
  // would be three times those of a day.
  const isTogether = averages === 60 && rising.length > 0 && counters.size === 0
  const open = async (some: readonly BucketTag[]) => {
    for (const [id, counter] of await openCounters({ reads, signal }, some, from)) counters.set(id, counter)
  }
  if (!isTogether) await open(rising)
  const { takings, damaged } = await read(tags, isTogether ? { ...query, from: counterFrom(from) } : query)
  const few = rising.filter(
    ({ id }) => isTogether && hasFewBefore(takings.find((one) => one.id === id)?.taker),
  )
  if (few.length > 0) {
    await open(few)
    const again = await read(few, query)
    const byId = new Map(again.takings.map((one) => [one.id, one]))
    for (const [place, { id }] of takings.entries())
      takings[place] = byId.get(id) ?? (takings[place] as (typeof takings)[number])
  }
  for (const { id, taker } of takings) if (taker.rise) counters.set(id, taker.rise.fork())
  await closeCounters({ reads, signal }, takings, to)
  return { rows: new Map(takings.map(({ id, taker }) => [id, taker.finish()])), damaged }
}

/** A stretch of time that was read, with the samples that were found in it next to another one within. */
export interface Neighbours {
  readonly span: TimeSpan
  readonly before: ReadonlyMap<number, HistoryRow>
  readonly after: ReadonlyMap<number, HistoryRow>
}

/**
 * Each tag raw where it has few samples, as changes where it is a state, else in intervals; with the samples next to the
 * stretch, as far as they were read anyway.
 */
export async function listAuto(
  reads: SampleReads,
  tags: readonly (BucketTag & { readonly isState: boolean })[],
  query: HistoryQuery,
  options: { readonly intervalMs: number; readonly pointsMax: number },
): Promise<Found<AutoPoints> & { readonly neighbours: Neighbours }> {
  const { from, to } = query
  const averages = averageStepOf(from, options.intervalMs)
  // A chunk is decoded once for the stretch and the samples beside it. `samplesMax` counts those of the stretch alone.
  const span = averages === undefined && query.samplesMax === undefined ? wholeHours(query) : { from, to }
  const takings = tags.map((tag) => {
    const auto = new AutoTaker(tag, { from, ...options })
    const neighbours =
      span.from < from || span.to > to ? new WithNeighbours(tag.id, auto, { from, to }) : undefined
    return { ...tag, auto, neighbours, taker: neighbours ?? auto }
  })
  const damaged = await reads.read(takings, span, { ...query, averages })
  const rows = new Map<number, AutoPoints>()
  const before = new Map<number, HistoryRow>()
  const after = new Map<number, HistoryRow>()
  const few: TypedTag[] = []
  for (const { id, type, auto, neighbours } of takings) {
    rows.set(id, auto.finish())
    if (auto.isFewAsAverages) few.push({ id, type })
    if (neighbours?.before.point) before.set(id, neighbours.before.point)
    if (neighbours?.after.point) after.set(id, neighbours.after.point)
  }
  const neighbours = { span, before, after }
  if (few.length === 0) return { rows, damaged, neighbours }
  const raw = await listRawPoints(reads, few, query, options.pointsMax + 1)
  for (const [id, points] of raw.rows)
    if (points.length <= options.pointsMax) rows.set(id, { kind: 'raw', rows: points })
  return { rows, damaged: [...damaged, ...raw.damaged], neighbours }
}

/** A stretch of time with the rest of the hours in which it begins and ends. */
function wholeHours(span: TimeSpan): TimeSpan {
  const hours = hoursOf(span)
  return { from: Math.min(span.from, hours.from * hourMs), to: Math.max(span.to, hours.to * hourMs) }
}

/** The samples next to a stretch of time. */
export interface HistoryEdges {
  readonly before: ReadonlyMap<number, HistoryRow>
  readonly after: ReadonlyMap<number, HistoryRow>
  readonly damaged: readonly DamagedSpan[]
}

/** The sources of edges: newest values, and samples. */
interface EdgeSources {
  readonly db: Database
  readonly reads: SampleReads
}

/**
 * The last sample before `from` and the first from `to` on, of each tag, no further away than `reachMs`, which is an hour
 * at least; before it also the newest value of all, however old. `known`: what was read of the hours at the ends.
 */
export async function listEdges(
  sources: EdgeSources,
  tags: readonly TypedTag[],
  { from, to, signal, known }: HistoryQuery & { readonly known: Neighbours },
  reachMs: number,
): Promise<HistoryEdges> {
  if (tags.length === 0) return { before: new Map(), after: new Map(), damaged: [] }
  const later = { from: known.span.to, to: to + reachMs }
  const [before, after] = await Promise.all([
    listBefore(sources, tags, { from, signal, known }, reachMs),
    sources.reads.readNearest(without(known.after, tags), later, { end: 'first', signal }),
  ])
  return {
    before: before.rows,
    after: new Map([...among(known.after, tags), ...after.points]),
    damaged: [...before.damaged, ...after.damaged],
  }
}

/** The edges before `from`. */
export async function listBefore(
  { db, reads }: EdgeSources,
  tags: readonly TypedTag[],
  { from, signal, known }: Pick<HistoryQuery, 'from' | 'signal'> & { readonly known?: Neighbours },
  reachMs: number,
): Promise<Found<HistoryRow>> {
  const found = known?.before ?? new Map<number, HistoryRow>()
  const earlier = { from: from - reachMs, to: known?.span.from ?? from }
  const [newest, last] = await Promise.all([
    listNewestBefore(db, tags, from),
    reads.readNearest(without(found, tags), earlier, { end: 'last', signal }),
  ])
  const rows = new Map([...among(found, tags), ...last.points])
  for (const row of newest) if (row.at > (rows.get(row.tagId)?.at ?? -1)) rows.set(row.tagId, row)
  return { rows, damaged: last.damaged }
}

/** The rows of some tags. */
function among(rows: ReadonlyMap<number, HistoryRow>, tags: readonly TypedTag[]): [number, HistoryRow][] {
  return tags.flatMap(({ id }): [number, HistoryRow][] => {
    const row = rows.get(id)
    return row ? [[id, row]] : []
  })
}

/** The tags that have no row. */
const without = (rows: ReadonlyMap<number, HistoryRow>, tags: readonly TypedTag[]): TypedTag[] =>
  tags.filter(({ id }) => !rows.has(id))

/** The newest values, where they are of before an instant. */
async function listNewestBefore(
  db: Database,
  tags: readonly TypedTag[],
  before: number,
): Promise<HistoryRow[]> {
  const types = new Map(tags.map(({ id, type }) => [id, type]))
  const { rows } = await sql<{
    tagId: number
    at: number
    quality: number
    num: number | null
    int: string | null
    text: string | null
  }>`
    select tag_id as "tagId", (extract(epoch from at) * 1000)::float8 as at, quality, num, int::text as int, text
    from tag_latest where tag_id = any(${[...types.keys()]}::bigint[]) and at < ${new Date(before)}`.execute(
    db,
  )
  return rows.map(({ tagId, at, quality, ...columns }) => {
    const type = types.get(tagId) ?? 'float64'
    const stored = storedValue(type, columns)
    const value = typeof stored === 'boolean' ? Number(stored) : stored
    const bound = value === null || type === 'string' ? null : Number(value)
    return { tagId, at, value, low: bound, high: bound, quality }
  })
}
