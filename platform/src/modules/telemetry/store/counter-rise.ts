import type { MeterChange } from '@busbar/contract'
import { isCounting } from '../tag-type.ts'
import { type ChunkSamples, valuesBefore } from './chunk.ts'
import { hourOf } from './chunk-rows.ts'
import { addExact, exactNumbers } from './integer-column.ts'

/** A reading of a counter; a bigint where a double would not hold it. */
type Reading = number | bigint

/** The counters of tags, as they are at the end of a stretch of time. */
export type Counters = Map<number, CounterRise>

/** Receives each part of the rise, with the time of the reading that shows it. */
export type TellRise = (at: number, amount: Reading, isReset: boolean) => void

/**
 * The rise of a counter in a bucket of averages. `calm`: each value is within a tenth of the one before, so that the
 * greatest one tells it; `none`: it falls too often for a counter; `unknown`: the averages
 * are from before it was kept.
 */
export const riseState = { calm: 0, told: 1, none: 2, unknown: 3 } as const

/** The columns of averages that keep the rise. They are 0 but for `told` states. */
export interface RiseColumns {
  readonly states: ArrayLike<number>
  /** The rise since the last value of the hour before the bucket, or since the first one. */
  readonly rises: ArrayLike<number>
  /** The value from which the rise goes on after the bucket. */
  readonly tops: ArrayLike<number>
  readonly resets: ArrayLike<number>
}

/** The columns of averages from which the rise is told. */
interface CounterBuckets extends RiseColumns {
  readonly starts: ArrayLike<number>
  readonly counts: ArrayLike<number>
  readonly lows: ArrayLike<number>
  readonly highs: ArrayLike<number>
  readonly firsts: ArrayLike<number>
  readonly lasts: ArrayLike<number>
}

interface StoredCounter {
  readonly pending?: readonly { readonly at: number; readonly value: number }[]
  readonly last?: number
  readonly high?: number | null
  readonly highBefore?: number | null
  readonly dayEnd?: number | null
}

const dayMs = 86_400_000

const fell = (before: Reading, value: Reading): boolean =>
  value < before && Number(before) - Number(value) >= Math.abs(Number(before)) / 10

const jumped = (before: Reading, value: Reading): boolean =>
  Number(value) - Number(before) > Math.abs(Number(before)) / 10

/** Whether the values between two others are a glitch: they went away by a tenth or more, and the value returned. */
const isGlitch = (before: Reading, between: readonly Reading[], after: Reading): boolean =>
  !fell(before, after) &&
  between.every(
    (value) => fell(before, value) || (jumped(before, value) && fell(value, after) && !jumped(before, after)),
  )

/** The least values per fall of a counter; a single fall is always accepted. */
const valuesPerFallMin = 20

/** Whether the rise of a variable means something: one that falls often is not a counter. */
export const isCounterRise = (resets: number, values: number): boolean =>
  resets <= Math.max(1, values / valuesPerFallMin)

/** A sum of parts without the errors of adding doubles, which values of a size leave in it. */
export function withoutErrors(sum: Reading, size: number): Reading {
  if (typeof sum === 'bigint') return sum
  const short = Number(sum.toPrecision(13))
  return Math.abs(short - sum) <= size * 1e-14 ? short : sum
}

/**
 * The rise of a counter: the one place that knows what counts (rules/telemetry.md: rise of a counter). A value within a
 * tenth of the one before counts at once; another waits for the next two, which show whether it is a glitch.
 */
export class CounterRise {
  readonly #isInteger: boolean
  /** In the order of time. */
  readonly #resets: readonly MeterChange[]
  readonly #tell: TellRise
  #next = 0
  #pending: { readonly at: number; readonly value: Reading }[] = []
  #last: Reading | undefined
  /** The highest value since the last reset: of the day of the newest value, and of the day before. */
  #high: Reading = Number.NEGATIVE_INFINITY
  #highBefore: Reading = Number.NEGATIVE_INFINITY
  #dayEnd = Number.NEGATIVE_INFINITY
  /** The rise of a meter up to its replacement, told with the next value. */
  #replaced: Reading = 0
  #hour = Number.NaN

  constructor(isInteger: boolean, resets: readonly MeterChange[] = [], tell: TellRise = () => undefined) {
    this.#isInteger = isInteger
    this.#resets = resets
    this.#tell = tell
  }

  /** Another one that goes on from here. */
  fork(tell?: TellRise): CounterRise {
    const made = new CounterRise(this.#isInteger, this.#resets, tell)
    made.#next = this.#next
    made.#pending = [...this.#pending]
    made.#last = this.#last
    made.#high = this.#high
    made.#highBefore = this.#highBefore
    made.#dayEnd = this.#dayEnd
    made.#replaced = this.#replaced
    return made
  }

  /** The state of one without replaced meters as JSON holds it, which `restore` brings back. */
  toJSON(): object {
    return {
      pending: this.#pending,
      last: this.#last,
      high: this.#high,
      highBefore: this.#highBefore,
      dayEnd: this.#dayEnd,
    }
  }

  /** One of numbers from its JSON; an infinity is null there. */
  static restore(stored: object, tell?: TellRise): CounterRise {
    const { pending = [], last, high, highBefore, dayEnd } = stored as StoredCounter
    const made = new CounterRise(false, [], tell)
    made.#pending = [...pending]
    made.#last = last
    made.#high = high ?? Number.NEGATIVE_INFINITY
    made.#highBefore = highBefore ?? Number.NEGATIVE_INFINITY
    made.#dayEnd = dayEnd ?? Number.NEGATIVE_INFINITY
    return made
  }

  /** The rise after an instant of the values that wait for others, as they are. */
  riseAhead(after: number): Reading {
    if (this.#pending.length === 0) return 0
    let risen: Reading = 0
    const ahead = this.fork((at, amount) => {
      if (at > after) risen = addExact(risen, amount, this.#isInteger)
    })
    ahead.settle()
    return risen
  }

  /** Whether later values decide about some that were taken. */
  get isOpen(): boolean {
    return this.#pending.length > 0
  }

  /** The value from which the rise goes on. */
  get top(): Reading {
    let top = this.#last ?? 0
    for (const high of [this.#high, this.#highBefore]) if (high > top) top = high
    return top
  }

  /** Takes the next value; false where it, or one before it, has to wait for others. */
  take(value: Reading, at: number): boolean {
    if (at >= this.#resetAt) this.#replace(at)
    if (this.#pending.length === 0 && !this.#isAway(value)) {
      this.#accept(value, at)
      return true
    }
    this.#pending.push({ at, value })
    this.#resolve()
    return false
  }

  /** Takes the good and uncertain values of a block; answers how many. */
  takeBlock(samples: ChunkSamples, from: number, to: number): number {
    const { times, qualities, filled, column } = samples
    if (column.type === 'string') return 0
    const numbers = column.type === 'int64' ? exactNumbers(column.values) : column.values
    const values: ArrayLike<Reading> = numbers ?? column.values
    const isSteady = numbers !== undefined
    let next = valuesBefore(samples, from)
    let count = 0
    for (let place = from; place < to; place++) {
      if (filled[place] !== 1) continue
      const value = values[next++] as Reading
      if (!isCounting(qualities[place] as number)) continue
      count++
      const at = times[place] as number
      // Most values are those of a counter that goes on by little: no other state changes.
      const last = this.#last
      if (
        isSteady &&
        typeof last === 'number' &&
        value >= last &&
        this.#high === last &&
        (value as number) - last <= last / 10 &&
        at < this.#dayEnd &&
        at < this.#resetAt &&
        this.#pending.length === 0 &&
        this.#highBefore <= last &&
        this.#replaced === 0
      ) {
        if (value === last) continue
        this.#last = this.#high = value
        this.#tell(at, (value as number) - last, false)
      } else this.take(value, at)
    }
    return count
  }

  /**
   * Takes a bucket of averages; false where they do not tell the rise exactly. Then it is about right, and samples tell
   * it.
   */
  takeBucket(averages: CounterBuckets, place: number, widthMs: number): boolean {
    if (averages.counts[place] === 0) return true
    const at = averages.starts[place] as number
    if (at >= this.#resetAt) this.#replace(at)
    const [low, high] = [averages.lows[place] as number, averages.highs[place] as number]
    const [first, last] = [averages.firsts[place] as number, averages.lasts[place] as number]
    const state = averages.states[place]
    const isFirstOfHour = this.#hour !== hourOf(at)
    this.#hour = hourOf(at)
    const isReplaced = at + widthMs > this.#resetAt
    const isCalm =
      state === riseState.calm || (state !== riseState.told && !fell(high, low) && !jumped(low, high))
    if (isCalm && !isReplaced && this.#pending.length === 0 && !this.#isAway(first)) {
      this.#accept(first, at)
      this.#accept(high, at)
      this.#last = last
      return true
    }
    this.settle()
    if (isReplaced) {
      this.#accept(first, at)
      this.#replace(at + widthMs - 1)
      this.#accept(last, at)
    } else if (state === riseState.told) {
      if (isFirstOfHour || this.#last === undefined) this.#accept(first, at)
      this.#tell(at, averages.rises[place] as number, false)
      for (let reset = 0; reset < (averages.resets[place] as number); reset++) this.#tell(at, 0, true)
      this.#highBefore = Number.NEGATIVE_INFINITY
      this.#high = averages.tops[place] as number
      this.#last = last
    } else {
      this.#accept(first, at)
      this.#accept(high, at)
      this.#accept(last, at)
    }
    return false
  }

  /** No later values are known: those that wait are taken as they are. */
  settle(): void {
    for (let first = this.#pending.shift(); first; first = this.#pending.shift()) {
      this.#accept(first.value, first.at)
      this.#resolve()
    }
  }

  get #resetAt(): number {
    return this.#resets[this.#next]?.at ?? Number.POSITIVE_INFINITY
  }

  #isAway(value: Reading): boolean {
    return this.#last !== undefined && (fell(this.#last, value) || jumped(this.#last, value))
  }

  #resolve(): void {
    for (;;) {
      const [first, second, third] = this.#pending
      if (!first) return
      const last = this.#last as Reading
      if (second && isGlitch(last, [first.value], second.value)) this.#pending.shift()
      else if (second && third && isGlitch(last, [first.value, second.value], third.value))
        this.#pending.splice(0, 2)
      else if (third || !this.#isAway(first.value)) {
        this.#pending.shift()
        this.#accept(first.value, first.at)
      } else return
    }
  }

  #accept(value: Reading, at: number): void {
    if (at >= this.#dayEnd) this.#beginDay(at)
    const last = this.#last
    const top = this.top
    this.#last = value
    if (last === undefined) this.#high = value
    else if (fell(last, value)) {
      this.#high = value
      this.#highBefore = Number.NEGATIVE_INFINITY
      this.#risen(at, value > 0 ? value : 0, true)
    } else {
      if (value > this.#high) this.#high = value
      if (value > top || this.#replaced !== 0)
        this.#risen(at, value > top ? addExact(value, -top, this.#isInteger) : 0, false)
    }
  }

  #risen(at: number, amount: Reading, isReset: boolean): void {
    const whole = this.#replaced === 0 ? amount : addExact(amount, this.#replaced, this.#isInteger)
    this.#replaced = 0
    this.#tell(at, whole, isReset)
  }

  #beginDay(at: number): void {
    this.#highBefore = at < this.#dayEnd + dayMs ? this.#high : Number.NEGATIVE_INFINITY
    this.#high = Number.NEGATIVE_INFINITY
    this.#dayEnd = (Math.floor(at / dayMs) + 1) * dayMs
  }

  /** Goes over to the meters that were put in until an instant. */
  #replace(until: number): void {
    this.settle()
    for (let told = this.#resets[this.#next]; told && told.at <= until; told = this.#resets[this.#next]) {
      this.#next++
      if (this.#last !== undefined && told.from > this.top)
        this.#replaced = addExact(
          this.#replaced,
          addExact(told.from, -this.top, this.#isInteger),
          this.#isInteger,
        )
      this.#last = told.to
      this.#high = told.to
      this.#highBefore = Number.NEGATIVE_INFINITY
    }
  }
}
