import { type telemetry as contract, type Lang, limits } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import {
  type Connected,
  gapsOf,
  type LostSamples,
  listConnectedSpans,
  listLostSpans,
  type Span,
} from './gaps-store.ts'
import type { HistoryRow } from './history-rows.ts'
import {
  type HistoryEdges,
  type HistoryQuery,
  listAuto,
  listBuckets,
  listEdges,
  listRawPoints,
  type Neighbours,
} from './history-store.ts'
import { listTagIdentities, type TagIdentity } from './history-tags-store.ts'
import type { DamagedSpan } from './store/damaged-chunks.ts'
import { type SampleReads, TooManySamples } from './store/sample-reads.ts'
import { plainReads } from './store/sample-store.ts'
import { withResets } from './tag-settings-store.ts'
import { chooseLabel } from './tag-text.ts'
import { qualityOf } from './tag-type.ts'
import { presentValue } from './telemetry-views.ts'

export interface HistoryRequest {
  readonly tagIds: readonly number[]
  /** Epoch milliseconds, `to` excluded. */
  readonly from: number
  readonly to: number
  /** Number of intervals the time is cut into; or `intervalMs`. With `auto`: number of samples answered one by one. */
  readonly points?: number | undefined
  readonly intervalMs?: number | undefined
  readonly agg: contract.Aggregate | 'auto'
  readonly lang?: Lang | undefined
  /** Ends the reading of a history that is no longer wanted. */
  readonly signal?: AbortSignal | undefined
}

export interface History {
  readonly series: contract.HistorySeries[]
  readonly gaps: [number, number][]
  readonly lost: [from: number, to: number, samples: number][]
  readonly machines: MachineGaps[]
}

/** The times of which nothing is known of one machine. */
interface MachineGaps {
  readonly machineId: number
  readonly gaps: [number, number][]
  readonly lost: [from: number, to: number, samples: number][]
}

/** Settings of tags, and samples. */
interface HistorySources {
  readonly db: Database
  readonly reads: SampleReads
}

/** A series as it was read, before it is put into the wire's shape. */
interface ReadSeries {
  readonly kind: contract.HistoryKind
  readonly intervalMs: number | null
  readonly rows: readonly HistoryRow[]
  readonly cutAt: number | null
}

/** Bounds of the search for the next sample beyond the ends of a stretch of time. */
const reachMs = { min: 3_600_000, max: 86_400_000 } as const

/** Series of tags, in the order they were requested, with the times in which a machine of theirs was away. */
export async function readHistory(
  db: Database,
  request: HistoryRequest,
  now: number,
  rowsMax: number = limits.historyRowsMax,
  reads: SampleReads = plainReads(db),
): Promise<History> {
  const tags = new Map((await listTagIdentities(db, request.tagIds)).map((tag) => [tag.id, tag]))
  const asked = request.tagIds.flatMap((tagId) => tags.get(tagId) ?? [])
  const isSpan = request.to > request.from
  const machineIds = [...new Set(asked.map((tag) => tag.machineId))]
  const reach = request.agg === 'auto' ? reachOf(request) : 0
  const wide = { from: request.from - reach, to: request.to + reach, now }
  // Asked beside the samples: most edges lie within reach.
  const [{ series: read, damaged, neighbours }, knownWide] = await Promise.all([
    isSpan ? readSeries({ db, reads }, request, asked, rowsMax) : nothingRead,
    readAway(db, machineIds, wide),
  ])
  const edges = neighbours
    ? await readEdges({ db, reads }, { ...request, known: neighbours }, asked, read)
    : noEdges
  const { before, after } = edges

  const shown = {
    from: Math.min(request.from, ...Array.from(before.values(), (row) => row.at)),
    to: Math.max(request.to, ...Array.from(after.values(), (row) => row.at)),
    now,
  }
  const isWide = shown.from >= wide.from && shown.to <= wide.to
  const known = isWide ? knownWide : await readAway(db, machineIds, shown)
  const machines = gapsOfEach(known, asked, [...damaged, ...edges.damaged], shown)
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
    gaps: mergeSpans(machines.flatMap(({ gaps }) => gaps)),
    lost: machines.flatMap(({ lost }) => lost).sort((a, b) => a[0] - b[0]),
    machines,
  }
}

/** The times when machines were away, and the data they lost, in a stretch of time. */
interface Away {
  readonly connected: ReadonlyMap<number, Connected>
  readonly lost: readonly LostSamples[]
}

async function readAway(
  db: Database,
  machineIds: readonly number[],
  range: { readonly from: number; readonly to: number; readonly now: number },
): Promise<Away> {
  const [connected, lost] = await Promise.all([
    listConnectedSpans(db, machineIds, range),
    listLostSpans(db, machineIds, range),
  ])
  return { connected, lost }
}

/** The gaps of each machine that the tags are of: it was away, samples were lost, or cannot be read. */
function gapsOfEach(
  known: Away,
  tags: readonly TagIdentity[],
  damaged: readonly DamagedSpan[],
  shown: { readonly from: number; readonly to: number; readonly now: number },
): MachineGaps[] {
  const byMachine = Map.groupBy(tags, (tag) => tag.machineId)
  return Array.from(byMachine, ([machineId, own]) => {
    const broken = damaged.filter(({ tagId }) => own.some(({ id }) => id === tagId))
    const away = gapsOf(known.connected.get(machineId), shown)
    return {
      machineId,
      gaps: mergeSpans([...away, ...unreadable(broken, shown)]),
      lost: known.lost
        .filter((lost) => lost.machineId === machineId && lost.from < shown.to && lost.to >= shown.from)
        .map(({ from, to, samples }): [number, number, number] => [from, to, samples]),
    }
  })
}

interface SeriesRead {
  readonly series: ReadonlyMap<number, ReadSeries>
  readonly damaged: readonly DamagedSpan[]
  /** The samples beside the stretch that were read with it, where they are wanted. */
  readonly neighbours?: Neighbours
}

const nothingRead: SeriesRead = { series: new Map(), damaged: [] }

/** A time so short that its samples are read whatever their number (rules/telemetry.md: history). */
const shortMs = 3_600_000

/** Refuses a large request. Raw samples have a limit of their own. */
async function readSeries(
  sources: HistorySources,
  request: HistoryRequest,
  tags: readonly TagIdentity[],
  rowsMax: number,
): Promise<SeriesRead> {
  const { agg, from, to, signal } = request
  const samplesMax = agg === 'raw' || to - from <= shortMs ? undefined : rowsMax
  const query: HistoryQuery = { from, to, signal, samplesMax }
  try {
    if (agg === 'raw') return await readRaw(sources.reads, request, query, tags)
    return agg === 'auto'
      ? await readAuto(sources.reads, request, query, tags)
      : await readBuckets(sources, request, query, tags)
  } catch (error) {
    throw error instanceof TooManySamples ? new Failure('QUERY_TOO_LARGE') : error
  }
}

/** Every sample of tags that have few, every change of states, averages of the others. */
async function readAuto(
  reads: SampleReads,
  request: HistoryRequest,
  query: HistoryQuery,
  tags: readonly TagIdentity[],
): Promise<SeriesRead> {
  const intervalMs = intervalOf(request)
  const pointsMax = request.points ?? limits.historyPointsDefault
  const wanted = tags.map((tag) => ({
    id: tag.id,
    type: tag.type,
    agg: aggregateOf(tag, 'avg'),
    isState: isState(tag),
  }))
  const { rows, damaged, neighbours } = await listAuto(reads, wanted, query, { intervalMs, pointsMax })
  const series = new Map<number, ReadSeries>()
  for (const [tagId, { kind, rows: points }] of rows)
    series.set(tagId, { kind, intervalMs: kind === 'raw' ? null : intervalMs, rows: points, cutAt: null })
  return { series, damaged, neighbours }
}

/** Its values hold until the next one, so that a mean of them has no meaning. */
export function isState({ type, hasWords }: TagIdentity): boolean {
  return type === 'bool' || type === 'string' || hasWords
}

/** A number with names is a state: the last of its values is a state again, the mean is not. */
function aggregateOf<Aggregate extends string>(
  { hasWords }: TagIdentity,
  agg: Aggregate,
): Aggregate | 'last' {
  return agg === 'avg' && hasWords ? 'last' : agg
}

async function readRaw(
  reads: SampleReads,
  request: HistoryRequest,
  query: HistoryQuery,
  tags: readonly TagIdentity[],
): Promise<SeriesRead> {
  const pointsMax = request.points ?? limits.historyPointsMax
  const { rows, damaged } = await listRawPoints(reads, tags, query, pointsMax + 1)
  const series = new Map<number, ReadSeries>()
  for (const [tagId, points] of rows)
    series.set(tagId, {
      kind: 'raw',
      intervalMs: null,
      rows: points.slice(0, pointsMax),
      cutAt: points[pointsMax]?.at ?? null,
    })
  return { series, damaged }
}

async function readBuckets(
  { db, reads }: HistorySources,
  request: HistoryRequest & { readonly agg: HistoryRequest['agg'] },
  query: HistoryQuery,
  tags: readonly TagIdentity[],
): Promise<SeriesRead> {
  const intervalMs = intervalOf(request)
  const agg = request.agg as Exclude<contract.Aggregate, 'raw'>
  const own = tags.map((tag) => ({ id: tag.id, type: tag.type, agg: aggregateOf(tag, agg) }))
  const wanted = agg === 'delta' ? await withResets(db, own) : own
  const { rows, damaged } = await listBuckets(reads, wanted, query, intervalMs)
  const series = new Map<number, ReadSeries>()
  for (const [tagId, buckets] of rows)
    series.set(tagId, { kind: 'buckets', intervalMs, rows: buckets, cutAt: null })
  return { series, damaged }
}

const noEdges: HistoryEdges = { before: new Map(), after: new Map(), damaged: [] }

/** The points beside the stretch, for tags whose line goes on there: an average has its own edges. */
function readEdges(
  sources: { readonly db: Database; readonly reads: SampleReads },
  { from, to, signal, known }: HistoryRequest & { readonly known: Neighbours },
  tags: readonly TagIdentity[],
  read: ReadonlyMap<number, ReadSeries>,
): Promise<HistoryEdges> {
  const wanted = tags.filter(({ id }) => read.get(id)?.kind !== 'buckets')
  return listEdges(sources, wanted, { from, to, signal, known }, reachOf({ from, to }))
}

const reachOf = ({ from, to }: Pick<HistoryRequest, 'from' | 'to'>): number =>
  Math.min(Math.max(to - from, reachMs.min), reachMs.max)

/** Samples that cannot be read any more are missing as those of a machine that was away. */
function unreadable(
  damaged: readonly DamagedSpan[],
  shown: { readonly from: number; readonly to: number },
): Span[] {
  return damaged.flatMap(({ from, to }): Span[] => {
    const span = [Math.max(from, shown.from), Math.min(to, shown.to)] as const
    return span[0] < span[1] ? [span] : []
  })
}

/** An interval that gives at most the allowed number of points. */
function intervalOf(request: Pick<HistoryRequest, 'from' | 'to' | 'points' | 'intervalMs'>): number {
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
  // A single switching has no least and greatest value; many have.
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
  return tag?.type === 'bool' && agg !== 'count' ? row.value !== 0 : presentValue(row.value)
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
