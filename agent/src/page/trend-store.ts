import { Quality } from '@busbar/link'
import type { Clock } from '../clock.ts'
import type { Machine } from '../machine.ts'
import type { Sample } from '../tag.ts'
import type { TrendView } from './page-api.ts'
import { pageLimits, pageTimes, trendPoints } from './page-limits.ts'

interface Ring {
  min: Float64Array
  max: Float64Array
}

/**
 * The last hour of every number and switch, in memory: 600 points of six seconds, each with its least and greatest
 * value, so that a peak stays. Points are counted by the monotonic clock; NaN is a point without a good value.
 */
export class TrendStore {
  readonly #machine: Machine
  readonly #clock: Clock
  readonly #rings = new Map<number, Ring>()
  /** The point that is being filled. */
  #point: number
  #cancel: () => void = () => undefined
  readonly #unsubscribe: () => void

  constructor(machine: Machine, clock: Clock) {
    this.#machine = machine
    this.#clock = clock
    this.#point = this.#pointNow()
    this.retag()
    this.#unsubscribe = machine.subscribe((samples) => {
      this.#advance()
      for (const sample of samples) this.#put(sample)
    })
    this.#beat()
  }

  /** Begins the trends of added tags, and drops those of removed ones. */
  retag(): void {
    const { tags } = this.#machine
    for (const index of this.#rings.keys()) {
      if (this.#machine.isRemoved?.(index)) this.#rings.delete(index)
    }
    tags.forEach((tag, index) => {
      if (this.#rings.has(index) || this.#machine.isRemoved?.(index)) return
      if (tag.type === 'string' || this.#rings.size >= pageLimits.trendsKeptMax) return
      this.#rings.set(index, {
        min: new Float64Array(trendPoints).fill(Number.NaN),
        max: new Float64Array(trendPoints).fill(Number.NaN),
      })
    })
  }

  /** Null if a tag's trend is not kept. */
  get(tags: readonly number[]): TrendView | null {
    this.#advance()
    // Values unchanged since the last beat belong to this point, too.
    for (const sample of this.#machine.current()) if (tags.includes(sample.tag)) this.#put(sample)
    const series: TrendView['series'] = []
    for (const tag of tags) {
      const ring = this.#rings.get(tag)
      if (ring === undefined) return null
      series.push({ tag, min: this.#unroll(ring.min), max: this.#unroll(ring.max) })
    }
    return { now: this.#clock.now(), stepMs: pageTimes.trendStepMs, series }
  }

  close(): void {
    this.#cancel()
    this.#unsubscribe()
  }

  /** An unchanged value causes no event, so it is read at the end of each point. */
  #beat(): void {
    this.#cancel = this.#clock.after(pageTimes.trendStepMs, () => {
      this.#advance()
      for (const sample of this.#machine.current()) this.#put(sample)
      this.#beat()
    })
  }

  #pointNow(): number {
    return Math.floor(this.#clock.monotonic() / pageTimes.trendStepMs)
  }

  #advance(): void {
    const point = this.#pointNow()
    const first = Math.max(this.#point + 1, point - trendPoints + 1)
    for (let empty = first; empty <= point; empty++) {
      for (const { min, max } of this.#rings.values()) {
        min[empty % trendPoints] = Number.NaN
        max[empty % trendPoints] = Number.NaN
      }
    }
    this.#point = point
  }

  #put({ tag, value, quality }: Sample): void {
    const ring = this.#rings.get(tag)
    const isTrusted = quality === Quality.good || quality === Quality.uncertain
    if (ring === undefined || !isTrusted || value === null || typeof value === 'string') return
    const number = Number(value)
    const place = this.#point % trendPoints
    // fmin, not Math.min: that one keeps NaN.
    if (!(number >= (ring.min[place] ?? Number.NaN))) ring.min[place] = number
    if (!(number <= (ring.max[place] ?? Number.NaN))) ring.max[place] = number
  }

  #unroll(values: Float64Array): (number | null)[] {
    return Array.from({ length: trendPoints }, (_, index) => {
      const value = values[(this.#point + 1 + index) % trendPoints] ?? Number.NaN
      return Number.isNaN(value) ? null : value
    })
  }
}
