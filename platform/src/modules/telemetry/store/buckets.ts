import type { telemetry as contract } from '@busbar/contract'
import type { BucketRow, HistoryRow } from '../history-rows.ts'
import { isCounting, qualityNumber, type TagType } from '../tag-type.ts'
import type { Averages } from './averages.ts'
import { type ChunkSamples, valuesBefore } from './chunk.ts'
import { hourOf } from './chunk-rows.ts'
import { CounterRise, withoutErrors } from './counter-rise.ts'
import { addExact, exactNumbers } from './integer-column.ts'
import { placeOf } from './merge-samples.ts'
import type { RiseTaker } from './rise-reading.ts'

type Value = NonNullable<HistoryRow['value']>
export type BucketAggregate = Exclude<contract.Aggregate, 'raw'>

export interface BucketOptions {
  readonly type: TagType
  readonly agg: BucketAggregate
  /** Buckets begin here. */
  readonly from: number
  readonly intervalMs: number
  /** The end of the stretch, if it may be within an interval. */
  readonly to?: number | undefined
  /** The counter up to `from`, for `delta`. */
  readonly counter?: CounterRise | undefined
  /** The width of the averages that are taken. */
  readonly averagesMs?: number | undefined
}

/** One value for each interval of a tag; intervals without a sample are left out. */
export class Buckets implements RiseTaker {
  readonly keepsNothing = true
  readonly #tagId: number
  readonly #options: BucketOptions
  readonly #isNumber: boolean
  readonly #agg: BucketAggregate
  readonly #rows: BucketRow[] = []
  /** The begin and the end of the bucket that is being filled. */
  #start = 0
  #end = Number.NEGATIVE_INFINITY
  #samples = 0
  #count = 0
  #isUncertain = false
  /** Bigints where the numbers are not exact as doubles; of texts only the first and the last are kept. */
  #sum: number | bigint = 0
  #low: Value = 0
  #high: Value = 0
  #first: Value = 0
  #last: Value = 0
  readonly rise: CounterRise | undefined
  readonly hoursToRead = new Set<number>()
  /** Values from before the first interval, which only the counter takes. */
  valuesBefore = 0
  /** The rise of each interval by its begin, and that of the one that told the last part. */
  readonly #rises = new Map<number, number | bigint>()
  #risen: number | bigint = 0
  #risenFrom = 0
  #risenTo = Number.NEGATIVE_INFINITY

  constructor(tagId: number, options: BucketOptions) {
    this.#tagId = tagId
    this.#options = options
    this.#isNumber = options.type === 'float64' || options.type === 'int64'
    const { agg } = options
    // A switch or a text has no mean: its last value is the most useful one.
    this.#agg = this.#isNumber || agg === 'first' || agg === 'count' ? agg : 'last'
    if (this.#agg !== 'delta') return
    const counter = options.counter ?? new CounterRise(options.type === 'int64')
    this.rise = counter.fork((at, amount) => this.#addRise(at, amount))
  }

  take(samples: ChunkSamples, start: number, to: number): void {
    const { column, times } = samples
    let from = start
    if (start < to && (times[start] as number) < this.#options.from) {
      from = Math.min(placeOf(times, this.#options.from), to)
      this.valuesBefore += this.rise?.takeBlock(samples, start, from) ?? 0
    }
    this.rise?.takeBlock(samples, from, to)
    if (column.type === 'string') {
      this.#takeEach(samples, from, to)
      return
    }
    const numbers = column.type === 'int64' ? exactNumbers(column.values) : column.values
    const taken = numbers ? this.#takeNumbers(samples, numbers, from, to) : from
    if (taken < to) this.#takeEach(samples, taken, to)
  }

  get needsEnds(): boolean {
    return this.#agg === 'first' || this.#agg === 'last' || this.#agg === 'delta'
  }

  takeAverages(averages: Averages, from: number, to: number): void {
    const { starts, samples, counts, uncertains, sums, lows, highs, firsts, lasts } = averages
    const isInteger = this.#options.type === 'int64'
    for (let place = from; place < to; place++) {
      const start = starts[place] as number
      const count = counts[place] as number
      const isExact = this.rise?.takeBucket(averages, place, this.#options.averagesMs ?? 0) ?? true
      if (!isExact) this.hoursToRead.add(hourOf(start))
      if (start < this.#options.from) {
        this.valuesBefore += count
        continue
      }
      if (start >= this.#end) this.#begin(start)
      this.#samples += samples[place] as number
      if (count === 0) continue
      if (uncertains[place] === 1) this.#isUncertain = true
      const low = lows[place] as number
      const high = highs[place] as number
      if (this.#count === 0) {
        this.#first = firsts[place] as number
        this.#low = low
        this.#high = high
      } else {
        if (low < (this.#low as number)) this.#low = low
        if (high > (this.#high as number)) this.#high = high
      }
      this.#sum = addExact(this.#sum, sums[place] as number, isInteger)
      this.#count += count
      this.#last = lasts[place] as number
    }
  }

  /** The points, when every sample was taken. */
  finish(): readonly BucketRow[] {
    this.#close()
    if (!this.rise) return this.#rows
    this.#rises.set(this.#risenFrom, this.#risen)
    return this.#rows.map((row) => {
      if (row.counted === 0) return row
      const size = Math.max(Math.abs(row.low ?? 0), Math.abs(row.high ?? 0))
      return { ...row, value: withoutErrors(this.#rises.get(row.at) ?? 0, size) }
    })
  }

  #addRise(at: number, amount: number | bigint): void {
    const { from, to = Number.POSITIVE_INFINITY, intervalMs, type } = this.#options
    if (at < from || at >= to) return
    if (at < this.#risenFrom || at >= this.#risenTo) {
      this.#rises.set(this.#risenFrom, this.#risen)
      this.#risenFrom = from + Math.floor((at - from) / intervalMs) * intervalMs
      this.#risenTo = this.#risenFrom + intervalMs
      this.#risen = this.#rises.get(this.#risenFrom) ?? 0
    }
    this.#risen = addExact(this.#risen, amount, type === 'int64')
  }

  /** Answers how far it came: a sum that grows too large for a double is left to `takeEach`. */
  #takeNumbers(samples: ChunkSamples, numbers: ArrayLike<number>, from: number, to: number): number {
    const { times, qualities, filled } = samples
    const isInteger = samples.column.type === 'int64'
    let next = valuesBefore(samples, from)
    let place = from
    while (place < to) {
      if ((times[place] as number) >= this.#end) this.#begin(times[place] as number)
      if (typeof this.#sum === 'bigint') return place
      // The state in locals: this loop runs for every sample.
      const end = this.#end
      const began = place
      let count = this.#count
      let sum = this.#sum
      let low = count === 0 ? Number.POSITIVE_INFINITY : (this.#low as number)
      let high = count === 0 ? Number.NEGATIVE_INFINITY : (this.#high as number)
      let first = this.#first as number
      let last = this.#last as number
      let isTooLarge = false
      for (; place < to && (times[place] as number) < end; place++) {
        if (filled[place] !== 1) continue
        const value = numbers[next] as number
        const quality = qualities[place] as number
        if (quality !== qualityNumber.good) {
          if (quality !== qualityNumber.uncertain) {
            next++
            continue
          }
          this.#isUncertain = true
        }
        const added = sum + value
        if (isInteger && !Number.isSafeInteger(added)) {
          isTooLarge = true
          break
        }
        next++
        sum = added
        if (count++ === 0) first = value
        if (value < low) low = value
        if (value > high) high = value
        last = value
      }
      this.#samples += place - began
      this.#count = count
      this.#sum = sum
      if (count > 0) {
        this.#low = low
        this.#high = high
        this.#first = first
        this.#last = last
      }
      if (isTooLarge) return place
    }
    return place
  }

  /** Texts, and whole numbers as bigints. */
  #takeEach(samples: ChunkSamples, from: number, to: number): void {
    const { times, qualities, filled, column } = samples
    let next = valuesBefore(samples, from)
    for (let place = from; place < to; place++) {
      if ((times[place] as number) >= this.#end) this.#begin(times[place] as number)
      this.#samples++
      if (filled[place] !== 1) continue
      const value = column.values[next++] as Value
      const quality = qualities[place] as number
      if (!isCounting(quality)) continue
      if (quality === qualityNumber.uncertain) this.#isUncertain = true
      if (this.#count++ === 0) this.#first = this.#low = this.#high = value
      if (value < this.#low) this.#low = value
      if (value > this.#high) this.#high = value
      if (typeof value !== 'string') this.#sum = addExact(this.#sum, value, true)
      this.#last = value
    }
  }

  #begin(time: number): void {
    this.#close()
    const { from, intervalMs } = this.#options
    this.#start = from + Math.floor((time - from) / intervalMs) * intervalMs
    this.#end = this.#start + intervalMs
  }

  #close(): void {
    if (this.#samples > 0) this.#rows.push(this.#row())
    this.#samples = 0
    this.#count = 0
    this.#isUncertain = false
    this.#sum = 0
  }

  #row(): BucketRow {
    const isEmpty = this.#count === 0
    const hasBounds = !isEmpty && this.#options.type !== 'string'
    const { good, uncertain, bad } = qualityNumber
    return {
      tagId: this.#tagId,
      at: this.#start,
      value: this.#valueOf(),
      low: hasBounds ? Number(this.#low) : null,
      high: hasBounds ? Number(this.#high) : null,
      quality: isEmpty ? bad : this.#isUncertain ? uncertain : good,
      samples: this.#samples,
      counted: this.#count,
    }
  }

  #valueOf(): HistoryRow['value'] {
    if (this.#agg === 'count') return this.#count
    if (this.#count === 0) return null
    switch (this.#agg) {
      case 'avg':
        return Number(this.#sum) / this.#count
      case 'sum':
        return this.#sum
      case 'min':
        return this.#low
      case 'max':
        return this.#high
      case 'first':
        return this.#first
      case 'last':
        return this.#last
      case 'delta':
        return 0
    }
  }
}
