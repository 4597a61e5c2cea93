import { type telemetry as contract, limits } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { gapsOf, listConnectedSpans, listLostSpans } from './gaps-store.ts'
import { isState } from './history.ts'
import type { HistoryRow } from './history-rows.ts'
import { listBefore } from './history-store.ts'
import { listTagIdentities, type TagIdentity } from './history-tags-store.ts'
import { type AverageStep, stepMs } from './store/averages.ts'
import type { CounterRise } from './store/counter-rise.ts'
import type { DamagedSpan } from './store/damaged-chunks.ts'
import {
  closeCounters,
  isCounterType,
  openCounters,
  type RiseReadOptions,
  readRises,
} from './store/rise-reading.ts'
import { type SampleReads, type TimeSpan, TooManySamples } from './store/sample-reads.ts'
import {
  type StatisticsTag,
  StatisticsTaker,
  type TakenStatistics,
  type TimedStatistics,
  type ValueAt,
} from './store/statistics-taker.ts'
import { withResets } from './tag-settings-store.ts'
import { presentValue } from './telemetry-views.ts'

export interface StatisticsRequest {
  readonly tagIds: readonly number[]
  /** Epoch milliseconds, `to` excluded. */
  readonly from: number
  readonly to: number
  readonly signal?: AbortSignal | undefined
  /**
   * Upper limit of the samples that are read one by one, of all tags. Numbers beyond it are answered from their
   * averages, without the values that depend on time; for other types `QUERY_TOO_LARGE` is thrown. A job may allow more
   * than a call.
   */
  readonly samplesMax?: number | undefined
}

export type TagStatistics = contract.TagStatistics

interface Sources {
  readonly db: Database
  readonly reads: SampleReads
}

/** Reach of the search for the first value before the span, in ms. */
const reachMs = 86_400_000
/** Longer spans are read by averages of hours, others by those of minutes. */
const minutesSpanMsMax = 7 * 86_400_000

/** Statistics of tags over a span of time, in the order they were requested. */
export async function readStatistics(
  { db, reads }: Sources,
  { tagIds, from, to, signal, samplesMax = limits.historyRowsMax }: StatisticsRequest,
  now: number,
): Promise<TagStatistics[]> {
  const tags = (await listTagIdentities(db, tagIds)).map((tag) => ({ ...tag, isState: isState(tag) }))
  const span = { from, to: Math.max(from, to) }
  const reading = new StatisticsReading({ db, reads }, { tags, span, signal, samplesMax, now })
  let taken: ReadonlyMap<number, TakenStatistics>
  try {
    taken = await reading.run()
  } catch (error) {
    throw error instanceof TooManySamples ? new Failure('QUERY_TOO_LARGE') : error
  }
  const byId = new Map(tags.map((tag) => [tag.id, tag]))
  return tagIds.map((tagId) => present(tagId, byId.get(tagId), taken.get(tagId) ?? nothing))
}

interface ReadingOptions {
  readonly tags: readonly (TagIdentity & StatisticsTag)[]
  readonly span: TimeSpan
  readonly signal: AbortSignal | undefined
  readonly samplesMax: number
  readonly now: number
}

interface ReadingKind {
  readonly byAverages: boolean
  /** Whether hours whose averages do not tell the rise are read by samples. */
  readonly opensHours?: boolean
  readonly samplesMax: number
}

/** One reading of statistics: by averages first where they are, and by samples where these are few enough. */
class StatisticsReading {
  readonly #sources: Sources
  readonly #options: ReadingOptions
  readonly #step: AverageStep
  #counters: ReadonlyMap<number, CounterRise> = new Map()
  #before: ReadonlyMap<number, HistoryRow> = new Map()
  #gaps: ReadonlyMap<number, readonly TimeSpan[]> = new Map()
  readonly #damaged: DamagedSpan[] = []

  constructor(sources: Sources, options: ReadingOptions) {
    this.#sources = sources
    this.#options = options
    this.#step = options.span.to - options.span.from > minutesSpanMsMax ? 60 : 1
  }

  async run(): Promise<ReadonlyMap<number, TakenStatistics>> {
    const { tags, span, samplesMax, signal } = this.#options
    if (tags.length === 0 || span.from === span.to) return new Map()
    const before = await listBefore(this.#sources, tags, { from: span.from, signal }, reachMs)
    this.#before = before.rows
    this.#damaged.push(...before.damaged)
    const rising = tags.filter(({ isState, type }) => !isState && isCounterType(type))
    const counters = await withResets(this.#sources.db, rising)
    this.#counters = await openCounters({ reads: this.#sources.reads, signal }, counters, span.from)
    await this.#readGaps()
    const found = await this.#readAll(tags, { byAverages: true, samplesMax })
    // Those with the fewest samples first, as many as may be read.
    const byAverages = tags
      .filter(({ id }) => found.get(id)?.timed === undefined)
      .sort((a, b) => samplesOf(found, a) - samplesOf(found, b))
    let room = samplesMax
    const few = byAverages.filter((tag) => {
      room -= samplesOf(found, tag)
      return room >= 0
    })
    const bySamples = await this.#readAll(few, { byAverages: false, samplesMax: samplesMax * 2 })
    // If samples are past their retention, averages have more.
    for (const [id, one] of bySamples) if (one.samples >= (found.get(id)?.samples ?? 0)) found.set(id, one)
    // Of the others the hours that a counter's averages do not tell.
    const unclear = tags.filter(({ id }) => {
      const one = found.get(id)
      return one?.delta === undefined && one?.isGauge !== true && this.#counters.has(id)
    })
    const clear = await this.#readAll(unclear, { byAverages: true, opensHours: true, samplesMax })
    for (const [id, { delta }] of clear) {
      const one = found.get(id)
      if (one && !one.timed) found.set(id, { ...one, delta })
    }
    for (const tag of tags) {
      const one = found.get(tag.id)
      if (one && !one.timed) found.set(tag.id, await this.#findTimes(tag, one))
    }
    return found
  }

  /** Reads tags, once more where something damaged was found on the way: no value holds over it. */
  async #readAll(
    tags: readonly (TagIdentity & StatisticsTag)[],
    options: ReadingKind,
  ): Promise<Map<number, TakenStatistics>> {
    const { takers, damaged } = await this.#readOnce(tags, options)
    const broken = new Set(damaged.map(({ tagId }) => tagId))
    const found = new Map(Array.from(takers, ([id, taker]) => [id, taker.finish()]))
    if (broken.size === 0) return found
    this.#damaged.push(...damaged)
    await this.#readGaps()
    const again = await this.#readOnce(
      tags.filter(({ id }) => broken.has(id)),
      options,
    )
    for (const [id, taker] of again.takers) found.set(id, taker.finish())
    return found
  }

  async #readOnce(
    tags: readonly (TagIdentity & StatisticsTag)[],
    { byAverages, opensHours, samplesMax }: ReadingKind,
  ): Promise<{ takers: ReadonlyMap<number, StatisticsTaker>; damaged: DamagedSpan[] }> {
    const { signal } = this.#options
    const { reads } = this.#sources
    if (tags.length === 0) return { takers: new Map(), damaged: [] }
    const { span } = this.#options
    // Averages are of whole minutes or hours.
    const whole = byAverages ? Math.min(ceilTo(span.from, stepMs(this.#step)), span.to) : span.from
    const read = { signal, samplesMax }
    const averages = byAverages ? this.#step : undefined
    const make = () => tags.map((tag) => ({ ...tag, taker: this.#takerOf(tag, byAverages) }))
    const all = async (some: ReturnType<typeof make>, more: RiseReadOptions = {}) => [
      ...(await reads.read(some, { from: span.from, to: whole }, read)),
      ...(await reads.read(some, { from: whole, to: span.to }, { ...read, averages, ...more })),
    ]
    const { takings, damaged } = await readRises(make, all, opensHours)
    await closeCounters({ reads, signal }, takings, span.to)
    return { takers: new Map(takings.map(({ id, taker }) => [id, taker])), damaged: [...damaged] }
  }

  #takerOf(tag: TagIdentity & StatisticsTag, byAverages: boolean): StatisticsTaker {
    const { span, now } = this.#options
    const until = Math.min(span.to, now, tag.retiredAt?.getTime() ?? Number.POSITIVE_INFINITY)
    return new StatisticsTaker(tag, {
      span: { from: span.from, to: Math.max(span.from, until) },
      gaps: this.#gaps.get(tag.id) ?? [],
      before: this.#before.get(tag.id),
      averagesMs: byAverages ? stepMs(this.#step) : undefined,
      counter: this.#counters.get(tag.id),
    })
  }

  /** The gaps of each tag from the sample before the span on. */
  async #readGaps(): Promise<void> {
    const { db } = this.#sources
    const { tags, span, now } = this.#options
    const machineIds = [...new Set(tags.map((tag) => tag.machineId))]
    const from = Math.min(span.from, ...Array.from(this.#before.values(), ({ at }) => at))
    const range = { from, to: span.to, now }
    const [connected, lost] = await Promise.all([
      listConnectedSpans(db, machineIds, range),
      listLostSpans(db, machineIds, range),
    ])
    this.#gaps = new Map(
      tags.map(({ id, machineId }) => [
        id,
        joined([
          ...gapsOf(connected.get(machineId), range).map(([start, end]) => ({ from: start, to: end })),
          // Both ends are of samples that were lost.
          ...lost
            .filter((one) => one.machineId === machineId)
            .map((one) => ({ from: one.from, to: one.to + 1 })),
          ...this.#damaged.filter(({ tagId }) => tagId === id),
        ]),
      ]),
    )
  }

  /** The times of values that came from averages, from the samples of their buckets. */
  async #findTimes(tag: TagIdentity & StatisticsTag, found: TakenStatistics): Promise<TakenStatistics> {
    const { signal, samplesMax } = this.#options
    const buckets = new Map<number, TakenStatistics>()
    const find = async <End extends 'min' | 'max' | 'first' | 'last'>(end: End) => {
      const told = found[end]
      if (!told?.withinMs) return told
      const span = { from: told.at, to: told.at + told.withinMs }
      let bucket = buckets.get(told.at)
      if (!bucket) {
        const taker = new StatisticsTaker(tag, { span, gaps: [], before: undefined })
        await this.#sources.reads.read([{ ...tag, taker }], span, { signal, samplesMax })
        bucket = taker.finish()
        buckets.set(told.at, bucket)
      }
      const exact = bucket[end]
      return exact?.value === told.value ? exact : told
    }
    return {
      ...found,
      min: await find('min'),
      max: await find('max'),
      first: await find('first'),
      last: await find('last'),
    }
  }
}

const samplesOf = (found: ReadonlyMap<number, TakenStatistics>, { id }: { readonly id: number }): number =>
  found.get(id)?.samples ?? 0

const ceilTo = (at: number, step: number): number => Math.ceil(at / step) * step

/** Spans of whole milliseconds in the order of time, those that touch as one. */
function joined(spans: readonly TimeSpan[]): TimeSpan[] {
  const sorted = spans
    .map(({ from, to }) => ({ from: Math.round(from), to: Math.round(to) }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from)
  const apart: { from: number; to: number }[] = []
  for (const span of sorted) {
    const last = apart.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else apart.push(span)
  }
  return apart
}

const nothing: TakenStatistics = {
  samples: 0,
  count: 0,
  min: undefined,
  max: undefined,
  first: undefined,
  last: undefined,
  mean: undefined,
  isGauge: false,
  delta: undefined,
  timed: {
    timeMean: undefined,
    states: [],
    restMs: 0,
    knownMs: 0,
    badMs: 0,
    gapMs: 0,
  },
}

function present(
  tagId: number,
  tag: (TagIdentity & StatisticsTag) | undefined,
  taken: TakenStatistics,
): TagStatistics {
  const { timed, delta } = taken
  const isBool = tag?.type === 'bool'
  const value = (one: ValueAt['value']) => (isBool ? one !== 0 : presentValue(one))
  const valueAt = (one: ValueAt | undefined) => (one ? { ...one, value: value(one.value) } : null)
  return {
    tagId,
    machineId: tag?.machineId ?? null,
    basis: timed ? 'samples' : 'averages',
    samples: taken.samples,
    count: taken.count,
    min: valueAt(taken.min),
    max: valueAt(taken.max),
    mean: taken.mean ?? null,
    timeMean: timed?.timeMean ?? null,
    first: valueAt(taken.first),
    last: valueAt(taken.last),
    delta: delta ? { value: presentValue(delta.value), resets: delta.resets } : null,
    ...presentStates(tag, timed, value),
    knownMs: timed?.knownMs ?? null,
    badMs: timed?.badMs ?? null,
    gapMs: timed?.gapMs ?? null,
  }
}

function presentStates(
  tag: StatisticsTag | undefined,
  timed: TimedStatistics | undefined,
  value: (one: ValueAt['value']) => contract.TagValue,
): Pick<TagStatistics, 'states' | 'otherStatesMs'> {
  if (!tag?.isState || !timed) return { states: null, otherStatesMs: null }
  const told = timed.states.slice(0, limits.statesPerStatistics)
  const others = timed.states.slice(limits.statesPerStatistics)
  const otherStatesMs = others.reduce((sum, { ms }) => sum + ms, timed.restMs)
  return { states: told.map((one) => ({ ...one, value: value(one.value) })), otherStatesMs }
}
