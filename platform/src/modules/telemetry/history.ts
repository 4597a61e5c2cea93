import { type telemetry as contract, type Lang, limits } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { listGaps, listLostSpans, type Span } from './gaps-store.ts'
import {
  type BucketRow,
  countSamplesUpTo,
  type HistoryEdges,
  type HistoryRow,
  listBuckets,
  listChanges,
  listEdges,
  listFewPoints,
  listRawPoints,
} from './history-store.ts'
import { listTagIdentities, type TagIdentity } from './history-tags-store.ts'
import { qualityOf } from './tag-type.ts'
import { chooseLabel, presentValue } from './telemetry-views.ts'

export interface HistoryRequest {
  readonly tagIds: readonly number[]
  /** Epoch milliseconds, `to` excluded. */
  readonly from: number
  readonly to: number
  /** How many intervals the time is cut into; or `intervalMs`. With `auto`: how many samples are told one by one. */
  readonly points?: number | undefined
  readonly intervalMs?: number | undefined
  readonly agg: contract.Aggregate | 'auto'
  readonly lang?: Lang | undefined
}

export interface History {
  readonly series: contract.HistorySeries[]
  readonly gaps: [number, number][]
  readonly lost: [from: number, to: number, samples: number][]
}

/** A series as it was read, before it is put into the wire's shape. */
interface ReadSeries {
  readonly kind: contract.HistoryKind
  readonly intervalMs: number | null
  readonly rows: readonly HistoryRow[]
  readonly cutAt: number | null
}

/** How far from its ends a stretch of time may look for the next sample. */
const reachMs = { min: 3_600_000, max: 86_400_000 } as const

/** Series of tags, in the order they were asked for, with the times in which a machine of theirs was away. */
export async function readHistory(
  db: Database,
  request: HistoryRequest,
  now: number,
  rowsMax: number = limits.historyRowsMax,
): Promise<History> {
  const tags = new Map((await listTagIdentities(db, request.tagIds)).map((tag) => [tag.id, tag]))
  const asked = request.tagIds.flatMap((tagId) => tags.get(tagId) ?? [])
  const isSpan = request.to > request.from
  if (isSpan) await checkSize(db, request, rowsMax)
  const read = isSpan ? await readSeries(db, request, asked) : new Map<number, ReadSeries>()
  const edges = isSpan && request.agg === 'auto' ? await readEdges(db, request, read) : noEdges
  const before = firstOfEach(edges.before)
  const after = firstOfEach(edges.after)

  const shown = {
    from: Math.min(request.from, ...edges.before.map((row) => row.at)),
    to: Math.max(request.to, ...edges.after.map((row) => row.at)),
    now,
  }
  const machineIds = [...new Set(asked.map((tag) => tag.machineId))]
  const [gaps, lost] = await Promise.all([
    Promise.all(machineIds.map((machineId) => listGaps(db, machineId, shown))),
    listLostSpans(db, machineIds, shown),
  ])
  return {
    series: request.tagIds.map((tagId) => {
      const tag = tags.get(tagId)
      const series = read.get(tagId)
      const kind = series?.kind ?? (request.agg === 'raw' ? 'raw' : 'buckets')
      const present = (row: HistoryRow) => presentPoint(row, tag, { kind, agg: request.agg })
      const edge = (row: HistoryRow | undefined) => (row ? present(row) : null)
      return {
        tagId,
        machineId: tag?.machineId ?? null,
        kind,
        intervalMs: series?.intervalMs ?? null,
        points: series?.rows.map(present) ?? [],
        cutAt: series?.cutAt ?? null,
        before: edge(before.get(tagId)),
        after: edge(after.get(tagId)),
        version: presentVersion(tag, request.lang),
      }
    }),
    gaps: mergeSpans(gaps.flat()),
    lost: lost.map(({ from, to, samples }) => [from, to, samples]),
  }
}

/** Refuses a large request. Raw samples have a limit of their own, and a short time is read faster than counted. */
async function checkSize(db: Database, request: HistoryRequest, rowsMax: number): Promise<void> {
  if (request.agg === 'raw' || request.to - request.from <= shortMs) return
  if ((await countSamplesUpTo(db, request, rowsMax + 1)) > rowsMax) throw new Failure('QUERY_TOO_LARGE')
}

function readSeries(
  db: Database,
  request: HistoryRequest,
  tags: readonly TagIdentity[],
): Promise<Map<number, ReadSeries>> {
  const { agg } = request
  if (agg === 'raw') return readRaw(db, request, tags, listRawPoints)
  return agg === 'auto' ? readAuto(db, request, tags) : readBuckets(db, request, tags, agg)
}

/** A time so short that most tags have few samples in it: they are read before they are counted. */
const shortMs = 3_600_000

/** Every sample of tags that have few, every change of states, averages of the others. */
async function readAuto(
  db: Database,
  request: HistoryRequest,
  tags: readonly TagIdentity[],
): Promise<Map<number, ReadSeries>> {
  const pointsMax = request.points ?? limits.historyPointsDefault
  const isShort = request.to - request.from <= shortMs
  const series = isShort ? new Map<number, ReadSeries>() : await readBuckets(db, request, tags, 'avg')
  const few = tags.filter((tag) => countSamples(series.get(tag.id)) <= pointsMax)
  const raw = await readRaw(db, { ...request, points: pointsMax }, few, listFewPoints)
  for (const [tagId, read] of raw) if (read.cutAt === null) series.set(tagId, read)

  // A tag with few samples a moment ago may have more by now.
  const missing = tags.filter((tag) => !series.has(tag.id))
  const states = tags.filter((tag) => isState(tag) && series.get(tag.id)?.kind !== 'raw')
  const intervalMs = intervalOf(request)
  const query = { from: request.from, to: request.to, tagIds: states.map((tag) => tag.id) }
  const [buckets, changes] = await Promise.all([
    readBuckets(db, request, missing, 'avg'),
    listChanges(db, query, { intervalMs, pointsMax: pointsMax + 1 }),
  ])
  for (const [tagId, read] of buckets) series.set(tagId, read)
  for (const [tagId, rows] of Map.groupBy(changes, (row) => row.tagId)) {
    // A state that flaps is told in intervals: which it had within each.
    if (rows.length <= pointsMax) series.set(tagId, { kind: 'changes', intervalMs, rows, cutAt: null })
  }
  return series
}

/** Its values hold until the next one: a mean of them means nothing. */
function isState({ type, hasWords }: TagIdentity): boolean {
  return type === 'bool' || type === 'string' || hasWords
}

async function readRaw(
  db: Database,
  request: HistoryRequest,
  tags: readonly TagIdentity[],
  list: typeof listRawPoints,
): Promise<Map<number, ReadSeries>> {
  const pointsMax = request.points ?? limits.historyPointsMax
  const query = { tagIds: tags.map((tag) => tag.id), from: request.from, to: request.to }
  const byTag = Map.groupBy(await list(db, query, pointsMax + 1), (row) => row.tagId)
  return new Map(
    tags.map(({ id }) => {
      const rows = byTag.get(id) ?? []
      const cutAt = rows[pointsMax]?.at ?? null
      return [id, { kind: 'raw', intervalMs: null, rows: rows.slice(0, pointsMax), cutAt }]
    }),
  )
}

async function readBuckets(
  db: Database,
  request: HistoryRequest,
  tags: readonly TagIdentity[],
  agg: Exclude<contract.Aggregate, 'raw'>,
): Promise<Map<number, ReadSeries>> {
  const intervalMs = intervalOf(request)
  // A number with words is a state: of its codes the last is one of them, their mean is none.
  const groups = Map.groupBy(tags, (tag) => `${tag.type} ${agg === 'avg' && tag.hasWords ? 'last' : agg}`)
  const answers = await Promise.all(
    [...groups.values()].map((group) => {
      const [first] = group as [TagIdentity]
      const query = { tagIds: group.map((tag) => tag.id), from: request.from, to: request.to }
      const options = {
        type: first.type,
        agg: agg === 'avg' && first.hasWords ? 'last' : agg,
        intervalMs,
      } as const
      return listBuckets(db, query, options)
    }),
  )
  const series = new Map<number, ReadSeries>(
    tags.map(({ id }) => [id, { kind: 'buckets', intervalMs, rows: [], cutAt: null }]),
  )
  for (const [tagId, rows] of Map.groupBy(answers.flat(), (row) => row.tagId))
    series.set(tagId, { kind: 'buckets', intervalMs, rows, cutAt: null })
  return series
}

function countSamples(series: ReadSeries | undefined): number {
  return (series?.rows as readonly BucketRow[] | undefined)?.reduce((sum, row) => sum + row.samples, 0) ?? 0
}

const noEdges: HistoryEdges = { before: [], after: [] }

/** The points beside the stretch, for tags whose line goes on there: an average has its own edges. */
function readEdges(
  db: Database,
  { from, to }: HistoryRequest,
  read: ReadonlyMap<number, ReadSeries>,
): Promise<HistoryEdges> {
  const tagIds = [...read].filter(([, { kind }]) => kind !== 'buckets').map(([tagId]) => tagId)
  const reach = Math.min(Math.max(to - from, reachMs.min), reachMs.max)
  return listEdges(db, { tagIds, from, to }, reach)
}

function firstOfEach(rows: readonly HistoryRow[]): Map<number, HistoryRow> {
  return new Map(rows.map((row) => [row.tagId, row]))
}

/** An interval that gives no more points than are allowed. */
export function intervalOf(request: Pick<HistoryRequest, 'from' | 'to' | 'points' | 'intervalMs'>): number {
  const span = request.to - request.from
  const wanted = request.intervalMs ?? Math.ceil(span / (request.points ?? limits.historyPointsDefault))
  return Math.max(1, wanted, Math.ceil(span / limits.historyPointsMax))
}

function presentPoint(
  row: HistoryRow,
  tag: TagIdentity | undefined,
  { kind, agg }: { readonly kind: contract.HistoryKind; readonly agg: HistoryRequest['agg'] },
): contract.HistoryPoint {
  const quality = qualityOf(row.quality)
  // One switching has no least and greatest; many have.
  const isOne = kind !== 'buckets' && tag?.type === 'bool'
  const counts = (quality === 'good' || quality === 'uncertain') && !isOne
  const low = counts ? row.low : null
  const high = counts ? row.high : null
  const value = pointValue(row, tag, agg)
  return quality === 'good' ? [row.at, value, low, high] : [row.at, value, low, high, quality]
}

function pointValue(
  row: HistoryRow,
  tag: TagIdentity | undefined,
  agg: HistoryRequest['agg'],
): contract.TagValue {
  if (row.value === null) return null
  if (agg === 'count') return Number(row.value)
  if (tag?.type === 'string') return row.value
  if (tag?.type === 'bool') return row.value !== '0'
  // A mean of integers, or a sum beyond 64 bits, is a number like others.
  return tag?.type === 'int64' && /^-?\d+$/.test(row.value)
    ? presentValue(BigInt(row.value))
    : Number(row.value)
}

function presentVersion(tag: TagIdentity | undefined, lang: Lang = 'en'): contract.HistorySeries['version'] {
  if (!tag || (tag.earlierId === null && tag.laterId === null && tag.retiredAt === null)) return null
  const { group, type, unit, scale, retiredAt, earlierId, laterId } = tag
  const name = chooseLabel(tag.label, lang) || tag.name
  return { name, group, type, unit, scale, retiredAt: retiredAt?.getTime() ?? null, earlierId, laterId }
}

function mergeSpans(spans: readonly Span[]): [number, number][] {
  const merged: [number, number][] = []
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
