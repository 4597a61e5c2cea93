import type { HistoryRow } from '../history-rows.ts'
import { type ChunkSamples, valuesBefore } from './chunk.ts'
import { placeOf } from './merge-samples.ts'
import type { TimeSpan } from './sample-rows.ts'
import type { SampleTaker } from './sample-taker.ts'

type Value = HistoryRow['value']

/** One sample as a point. */
function pointAt(
  tagId: number,
  { times, qualities, column }: ChunkSamples,
  place: number,
  value: Value,
): HistoryRow {
  const bound = value === null || column.type === 'string' ? null : Number(value)
  return {
    tagId,
    at: times[place] as number,
    value,
    low: bound,
    high: bound,
    quality: qualities[place] as number,
  }
}

/** The samples of a tag one by one, up to `pointsMax`. */
export class RawPoints implements SampleTaker {
  readonly keepsNothing = true
  readonly points: HistoryRow[] = []
  readonly #tagId: number
  readonly #pointsMax: number

  constructor(tagId: number, pointsMax: number) {
    this.#tagId = tagId
    this.#pointsMax = pointsMax
  }

  get isFull(): boolean {
    return this.points.length >= this.#pointsMax
  }

  take(samples: ChunkSamples, from: number, to: number): void {
    if (this.isFull) return
    const { filled, column } = samples
    let next = valuesBefore(samples, from)
    const end = Math.min(to, from + this.#pointsMax - this.points.length)
    for (let place = from; place < end; place++) {
      const value = filled[place] === 1 ? (column.values[next++] as Value) : null
      this.points.push(pointAt(this.#tagId, samples, place, value))
    }
  }
}

/**
 * The samples that changed value or quality, with the first of every interval and the last of all: enough to draw a
 * state at every instant. Up to `pointsMax`.
 */
export class Changes implements SampleTaker {
  readonly keepsNothing = true
  readonly points: HistoryRow[] = []
  readonly #tagId: number
  readonly #from: number
  readonly #intervalMs: number
  readonly #pointsMax: number
  #quality = -1
  #value: Value = null
  #bucketEnd = Number.NEGATIVE_INFINITY
  /** The newest sample if it is not a point. */
  #last: HistoryRow | undefined

  constructor(
    tagId: number,
    options: { readonly from: number; readonly intervalMs: number; readonly pointsMax: number },
  ) {
    this.#tagId = tagId
    this.#from = options.from
    this.#intervalMs = options.intervalMs
    this.#pointsMax = options.pointsMax
  }

  get isFull(): boolean {
    return this.points.length >= this.#pointsMax
  }

  take(samples: ChunkSamples, from: number, to: number): void {
    const { times, qualities, filled, column } = samples
    let next = valuesBefore(samples, from)
    for (let place = from; place < to && !this.isFull; place++) {
      const value = filled[place] === 1 ? (column.values[next++] as Value) : null
      const time = times[place] as number
      const isSame = value === this.#value && qualities[place] === this.#quality && time < this.#bucketEnd
      if (!isSame) {
        this.points.push(pointAt(this.#tagId, samples, place, value))
        this.#value = value
        this.#quality = qualities[place] as number
        if (time >= this.#bucketEnd)
          this.#bucketEnd =
            this.#from + (Math.floor((time - this.#from) / this.#intervalMs) + 1) * this.#intervalMs
        this.#last = undefined
      } else if (place === to - 1) this.#last = pointAt(this.#tagId, samples, place, value)
    }
  }

  /** The points, when every sample was taken. */
  finish(): readonly HistoryRow[] {
    if (this.#last && !this.isFull) this.points.push(this.#last)
    this.#last = undefined
    return this.points
  }
}

/** The first or the last sample of a tag. */
export class NearestPoint implements SampleTaker {
  readonly keepsNothing = true
  point: HistoryRow | undefined
  readonly #tagId: number
  readonly #end: 'first' | 'last'

  constructor(tagId: number, end: 'first' | 'last') {
    this.#tagId = tagId
    this.#end = end
  }

  get isFull(): boolean {
    return this.#end === 'first' && this.point !== undefined
  }

  take(samples: ChunkSamples, from: number, to: number): void {
    if (from >= to || this.isFull) return
    const place = this.#end === 'first' ? from : to - 1
    const value =
      samples.filled[place] === 1 ? (samples.column.values[valuesBefore(samples, place)] as Value) : null
    this.point = pointAt(this.#tagId, samples, place, value)
  }
}

/** Hands the samples of a stretch of time to a taker, and keeps the ones next to it on either side. */
export class WithNeighbours<Taker extends SampleTaker> implements SampleTaker {
  readonly taker: Taker
  readonly before: NearestPoint
  readonly after: NearestPoint
  readonly #span: TimeSpan

  constructor(tagId: number, taker: Taker, span: TimeSpan) {
    this.taker = taker
    this.before = new NearestPoint(tagId, 'last')
    this.after = new NearestPoint(tagId, 'first')
    this.#span = span
  }

  get keepsNothing(): boolean {
    return this.taker.keepsNothing === true
  }

  take(samples: ChunkSamples, from: number, to: number): void {
    const within = (place: number) => Math.min(Math.max(place, from), to)
    const first = within(placeOf(samples.times, this.#span.from))
    const end = within(placeOf(samples.times, this.#span.to))
    this.before.take(samples, from, first)
    if (first < end) this.taker.take(samples, first, end)
    this.after.take(samples, end, to)
  }
}
