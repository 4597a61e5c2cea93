import type { HistoryRow } from '../history-rows.ts'
import { isCounting } from '../tag-type.ts'
import type { Averages } from './averages.ts'
import { type ChunkSamples, valuesBefore } from './chunk.ts'
import { CounterRise, isCounterRise, withoutErrors } from './counter-rise.ts'
import { addExact, exactNumbers } from './integer-column.ts'
import { type RiseTaker, UnclearHours } from './rise-reading.ts'
import type { TimeSpan, TypedTag } from './sample-rows.ts'

type Value = NonNullable<HistoryRow['value']>

/** A value with its time; `withinMs` is the width of its bucket of averages, 0 for a sample. */
export interface ValueAt {
  readonly value: Value
  readonly at: number
  readonly withinMs: number
}

/** A number with its time. */
export interface NumberAt extends ValueAt {
  readonly value: number | bigint
}

/** The total time of a state, and how often it began. */
export interface StateTime {
  readonly value: Value
  readonly ms: number
  readonly times: number
}

export interface StatisticsTag extends TypedTag {
  /** A switch, a text, or a number with words: it has times instead of means. */
  readonly isState: boolean
}

export interface StatisticsOptions {
  /** The span that is counted; values hold at most until `to`. */
  readonly span: TimeSpan
  /** Gaps of the tag's machine in whole milliseconds, in the order of time and apart from one another. */
  readonly gaps: readonly TimeSpan[]
  /** The last sample before the span. */
  readonly before: HistoryRow | undefined
  /** The width of the buckets, where averages are taken as well. */
  readonly averagesMs?: number | undefined
  /** The counter up to the span. */
  readonly counter?: CounterRise | undefined
}

export interface TakenStatistics {
  readonly samples: number
  readonly count: number
  readonly min: NumberAt | undefined
  readonly max: NumberAt | undefined
  readonly first: ValueAt | undefined
  readonly last: ValueAt | undefined
  readonly mean: number | undefined
  /** It falls too often for a counter. */
  readonly isGauge: boolean
  /** Undefined where averages do not tell it exactly, and of gauges. */
  readonly delta: { readonly value: number | bigint; readonly resets: number } | undefined
  /** The statistics that need samples; undefined if averages covered a part. */
  readonly timed: TimedStatistics | undefined
}

export interface TimedStatistics {
  readonly timeMean: number | undefined
  /** The longest first. */
  readonly states: readonly StateTime[]
  /** Time of all states beyond the limit of those kept apart, in ms. */
  readonly restMs: number
  readonly knownMs: number
  readonly badMs: number
  readonly gapMs: number
}

/**
 * A sample within a gap was sent later. It holds until the next one, but at most this long: it is unknown whether the
 * machine was running (rules/telemetry.md: statistics).
 */
export const heldInGapMsMax = 60_000
/** Texts are a machine's own: this number of different ones is kept apart. */
const statesMax = 1_000

/**
 * Counts the samples of one tag, and the time of each value: until the next sample, or until a gap begins. After a gap
 * the value is unknown until the next sample.
 */
export class StatisticsTaker implements RiseTaker {
  readonly keepsNothing = true
  readonly needsEnds = true
  readonly takeAverages: ((averages: Averages, from: number, to: number) => void) | undefined
  readonly #tag: StatisticsTag
  readonly #span: TimeSpan
  readonly #gaps: readonly TimeSpan[]
  readonly #averagesMs: number
  #isTimed = true
  #samples = 0
  #count = 0
  #sum: number | bigint = 0
  #min: NumberAt | undefined
  #max: NumberAt | undefined
  #first: ValueAt | undefined
  #last: ValueAt | undefined
  /** The newest sample: it holds until the next. */
  #heldAt = Number.NaN
  #held: Value | null = null
  #gap = 0
  /** The part of the gaps in which the value is known after all. */
  #filledMs = 0
  #knownMs = 0
  #badMs = 0
  #weighted = 0
  readonly rise: CounterRise | undefined
  readonly #unclear = new UnclearHours()
  #risen: number | bigint = 0
  #resets = 0
  readonly #states = new Map<Value, { ms: number; times: number }>()
  #state: Value | undefined
  #stateEnd = Number.NaN
  #restMs = 0

  constructor(tag: StatisticsTag, { span, gaps, before, averagesMs, counter }: StatisticsOptions) {
    this.#tag = tag
    this.#span = span
    this.#gaps = gaps
    this.#averagesMs = averagesMs ?? 0
    // Only samples give the time of a state.
    this.takeAverages =
      averagesMs === undefined || tag.isState ? undefined : (...taken) => this.#takeAverages(...taken)
    const isInteger = tag.type === 'int64'
    if (!tag.isState)
      this.rise = (counter ?? new CounterRise(isInteger)).fork((at, amount, isReset) => {
        if (at < span.from || at >= span.to) return
        this.#risen = addExact(this.#risen, amount, isInteger)
        if (isReset) this.#resets++
      })
    if (!before) return
    const value = isCounting(before.quality) ? before.value : null
    this.#heldAt = before.at
    this.#held = value === null ? null : plain(value)
  }

  take(samples: ChunkSamples, from: number, to: number): void {
    this.rise?.takeBlock(samples, from, to)
    const { times, qualities, filled, column } = samples
    const values = (column.type === 'int64' && exactNumbers(column.values)) || column.values
    let next = valuesBefore(samples, from)
    for (let place = from; place < to; place++) {
      const at = times[place] as number
      const stored = filled[place] === 1 ? (values[next++] as Value) : null
      this.#samples++
      this.#release(at)
      this.#heldAt = at
      this.#held = null
      if (stored === null || !isCounting(qualities[place] as number)) continue
      const value = plain(stored)
      this.#held = value
      this.#add(value, at)
    }
  }

  finish(): TakenStatistics {
    const mean = Number(this.#sum) / this.#count
    return {
      samples: this.#samples,
      count: this.#count,
      min: this.#min,
      max: this.#max,
      first: this.#first,
      last: this.#last,
      mean: this.#isNumber && Number.isFinite(mean) ? mean : undefined,
      isGauge: this.isGauge,
      delta: this.#delta,
      timed: this.#isTimed ? this.#finishTimes() : undefined,
    }
  }

  get hoursToRead(): ReadonlySet<number> {
    return this.#unclear.hours
  }

  /** It falls too often for a counter, and has no rise. */
  get isGauge(): boolean {
    return this.#unclear.isGauge || !isCounterRise(this.#resets, this.#count)
  }

  get #delta(): TakenStatistics['delta'] {
    if (!this.rise || this.#count === 0 || this.isGauge || this.hoursToRead.size > 0) return undefined
    const size = Math.max(...[this.#min, this.#max].map((one) => Math.abs(Number(one?.value ?? 0))))
    return { value: withoutErrors(this.#risen, size), resets: this.#resets }
  }

  get #isNumber(): boolean {
    return !this.#tag.isState
  }

  #finishTimes(): TimedStatistics {
    const { from, to } = this.#span
    this.#release(to)
    this.#heldAt = Number.NaN
    let gapMs = 0
    for (const gap of this.#gaps) gapMs += Math.max(0, Math.min(gap.to, to) - Math.max(gap.from, from))
    const timeMean = this.#weighted / this.#knownMs
    const states = Array.from(this.#states, ([value, times]) => ({ value, ...times }))
    return {
      timeMean: this.#isNumber && Number.isFinite(timeMean) ? timeMean : undefined,
      states: states.sort((a, b) => b.ms - a.ms),
      restMs: this.#restMs,
      knownMs: this.#knownMs,
      badMs: this.#badMs,
      gapMs: gapMs - this.#filledMs,
    }
  }

  #add(value: Value, at: number): void {
    const isFirst = this.#count++ === 0
    if (isFirst) this.#first = { value, at, withinMs: 0 }
    this.#last = { value, at, withinMs: 0 }
    if (!this.#isNumber || typeof value === 'string') return
    if (this.#min === undefined || value < this.#min.value) this.#min = { value, at, withinMs: 0 }
    if (this.#max === undefined || value > this.#max.value) this.#max = { value, at, withinMs: 0 }
    this.#sum = addExact(this.#sum, value, this.#tag.type === 'int64')
  }

  #takeAverages(averages: Averages, from: number, to: number): void {
    const { starts, samples, counts, sums, lows, highs, firsts, lasts } = averages
    const isInteger = this.#tag.type === 'int64'
    this.#isTimed = false
    for (let place = from; place < to; place++) {
      const at = starts[place] as number
      if (this.rise)
        this.#unclear.take(averages, place, this.rise.takeBucket(averages, place, this.#averagesMs))
      this.#samples += samples[place] as number
      const count = counts[place] as number
      if (count === 0) continue
      const withinMs = this.#averagesMs
      const [low, high] = [lows[place] as number, highs[place] as number]
      this.#count += count
      this.#sum = addExact(this.#sum, sums[place] as number, isInteger)
      this.#first ??= { value: firsts[place] as number, at, withinMs }
      this.#last = { value: lasts[place] as number, at, withinMs }
      if (this.#min === undefined || low < this.#min.value) this.#min = { value: low, at, withinMs }
      if (this.#max === undefined || high > this.#max.value) this.#max = { value: high, at, withinMs }
    }
  }

  /** The sample that holds ends at `at`: its time within the span is counted. */
  #release(at: number): void {
    const heldAt = this.#heldAt
    if (!this.#isTimed || Number.isNaN(heldAt)) return
    const end = Math.min(this.#endOfHold(heldAt), at, this.#span.to)
    const start = Math.max(heldAt, this.#span.from)
    const ms = end - start
    if (ms <= 0) return
    // The only gap it may be in is that of its sample.
    const gap = this.#gaps[this.#gap]
    if (gap && gap.from < end)
      this.#filledMs += Math.max(0, Math.min(end, gap.to) - Math.max(start, gap.from))
    if (this.#held === null) {
      this.#badMs += ms
      return
    }
    this.#knownMs += ms
    if (this.#isNumber) this.#weighted += Number(this.#held) * ms
    else this.#addState(this.#held, start, end)
  }

  #addState(value: Value, start: number, end: number): void {
    const isNew = value !== this.#state || start !== this.#stateEnd
    this.#state = value
    this.#stateEnd = end
    let state = this.#states.get(value)
    if (!state) {
      if (this.#states.size >= statesMax) {
        this.#restMs += end - start
        return
      }
      state = { ms: 0, times: 0 }
      this.#states.set(value, state)
    }
    state.ms += end - start
    if (isNew) state.times++
  }

  #endOfHold(at: number): number {
    const gaps = this.#gaps
    while (this.#gap < gaps.length && (gaps[this.#gap] as TimeSpan).to <= at) this.#gap++
    const gap = gaps[this.#gap]
    if (!gap) return Number.POSITIVE_INFINITY
    if (gap.from >= at) return gap.from
    if (at + heldInGapMsMax < gap.to) return at + heldInGapMsMax
    return gaps[this.#gap + 1]?.from ?? Number.POSITIVE_INFINITY
  }
}

/** A whole number as a number where that is exact, so that equal ones are the same. */
function plain(value: Value): Value {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
