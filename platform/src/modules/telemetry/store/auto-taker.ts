import type { BucketRow, HistoryRow } from '../history-rows.ts'
import type { TagType } from '../tag-type.ts'
import type { Averages } from './averages.ts'
import { type BucketAggregate, Buckets } from './buckets.ts'
import type { ChunkSamples, ChunkValues } from './chunk.ts'
import { Changes, RawPoints } from './point-takers.ts'
import type { SampleTaker } from './sample-taker.ts'

/** The points of a tag, and their form. */
export type AutoPoints =
  | { readonly kind: 'raw' | 'changes'; readonly rows: readonly HistoryRow[] }
  | { readonly kind: 'buckets'; readonly rows: readonly BucketRow[] }

export interface AutoOptions {
  readonly from: number
  readonly intervalMs: number
  /** A tag with more samples is not answered raw. */
  readonly pointsMax: number
}

/**
 * Chooses the form of a tag while its samples are read once: each sample if there are few, the changes of a state,
 * otherwise intervals. Changes and intervals are worked out only once there are many.
 */
export class AutoTaker implements SampleTaker {
  readonly keepsNothing = true
  readonly #type: TagType
  readonly #pointsMax: number
  readonly #buckets: Buckets
  readonly #changes: Changes | undefined
  /** All samples, as long as they are few. */
  #few: RawPoints | undefined
  #count = 0
  #hasAverages = false
  /** Of a state only samples give the changes. */
  readonly takeAverages: ((averages: Averages, from: number, to: number) => void) | undefined

  constructor(
    tag: {
      readonly id: number
      readonly type: TagType
      readonly agg: BucketAggregate
      readonly isState: boolean
    },
    { from, intervalMs, pointsMax }: AutoOptions,
  ) {
    this.#type = tag.type
    this.#pointsMax = pointsMax
    this.#few = new RawPoints(tag.id, pointsMax)
    this.#buckets = new Buckets(tag.id, { type: tag.type, agg: tag.agg, from, intervalMs })
    this.#changes = tag.isState
      ? new Changes(tag.id, { from, intervalMs, pointsMax: pointsMax + 1 })
      : undefined
    this.takeAverages = tag.isState ? undefined : (...taken) => this.#takeAverages(...taken)
  }

  take(samples: ChunkSamples, from: number, to: number): void {
    this.#count += to - from
    if (this.#few && this.#count <= this.#pointsMax) {
      this.#few.take(samples, from, to)
      return
    }
    this.#endFew()
    this.#buckets.take(samples, from, to)
    this.#changes?.take(samples, from, to)
  }

  get needsEnds(): boolean {
    return this.#buckets.needsEnds
  }

  /** Few samples that came from averages: they have to be read one by one. */
  get isFewAsAverages(): boolean {
    return this.#hasAverages && this.#count <= this.#pointsMax
  }

  finish(): AutoPoints {
    if (this.#few) return { kind: 'raw', rows: this.#few.points }
    const changes = this.#changes?.finish()
    // A state that flaps is answered in intervals: the states it had within each.
    if (changes && changes.length <= this.#pointsMax) return { kind: 'changes', rows: changes }
    return { kind: 'buckets', rows: this.#buckets.finish() }
  }

  #takeAverages(averages: Averages, from: number, to: number): void {
    this.#hasAverages = true
    this.#endFew()
    this.#buckets.takeAverages(averages, from, to)
    for (let place = from; place < to; place++) this.#count += averages.samples[place] as number
  }

  /** From here on there are many samples: those that were taken as points go to the other forms. */
  #endFew(): void {
    const points = this.#few?.points ?? []
    this.#few = undefined
    if (points.length === 0) return
    const samples = samplesOf(points, this.#type)
    this.#buckets.take(samples, 0, points.length)
    this.#changes?.take(samples, 0, points.length)
  }
}

/** Points that are samples, as columns again. */
function samplesOf(points: readonly HistoryRow[], type: TagType): ChunkSamples {
  const values = points.flatMap(({ value }) => value ?? [])
  return {
    times: Float64Array.from(points, ({ at }) => at),
    qualities: Uint16Array.from(points, ({ quality }) => quality),
    lates: new Uint16Array(points.length),
    filled: Uint16Array.from(points, ({ value }) => (value === null ? 0 : 1)),
    column: columnOf(type, values),
    stamps: new Map(),
  }
}

function columnOf(type: TagType, values: readonly unknown[]): ChunkValues {
  if (type === 'string') return { type, values: values as string[] }
  if (type === 'int64') return { type, values: BigInt64Array.from(values as bigint[]) }
  return { type, values: Float64Array.from(values as number[]) }
}
