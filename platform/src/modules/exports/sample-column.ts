import { type ChunkSamples, type SampleTaker, valuesBefore } from '../telemetry/index.ts'

type Value = number | bigint | string | boolean | null

/** The samples of a variable in a window of time, in the order of their times. */
export interface SampleColumn {
  readonly count: number
  /** Epoch milliseconds; `count` of them, as of the others. */
  readonly times: Float64Array
  readonly qualities: Uint16Array
  valueAt(place: number): Value
}

const roomBegin = 1_024

/** Copies the samples of a tag into columns that are used again for the next window. */
export class ColumnTaker implements SampleTaker, SampleColumn {
  readonly keepsNothing = true
  readonly #isBool: boolean
  readonly #others: (bigint | string | null)[] | undefined
  count = 0
  times = new Float64Array(roomBegin)
  qualities = new Uint16Array(roomBegin)
  /** NaN stands for no value, because no sample has the value NaN. */
  #numbers = new Float64Array(roomBegin)

  constructor(type: 'bool' | 'int64' | 'float64' | 'string') {
    this.#isBool = type === 'bool'
    this.#others = type === 'int64' || type === 'string' ? [] : undefined
  }

  clear(): void {
    this.count = 0
    if (this.#others) this.#others.length = 0
  }

  take(samples: ChunkSamples, from: number, to: number): void {
    const { times, qualities, filled, column } = samples
    this.#makeRoom(this.count + to - from)
    let next = valuesBefore(samples, from)
    let place = this.count
    const others = this.#others
    for (let source = from; source < to; source++, place++) {
      this.times[place] = times[source] as number
      this.qualities[place] = qualities[source] as number
      const value = filled[source] === 1 ? column.values[next++] : undefined
      if (others) others.push((value as bigint | string | undefined) ?? null)
      else this.#numbers[place] = value === undefined ? Number.NaN : (value as number)
    }
    this.count = place
  }

  valueAt(place: number): Value {
    if (this.#others) return this.#others[place] ?? null
    const value = this.#numbers[place] as number
    if (Number.isNaN(value)) return null
    return this.#isBool ? value !== 0 : value
  }

  #makeRoom(count: number): void {
    if (count <= this.times.length) return
    const room = Math.max(count, this.times.length * 2)
    this.times = grow(this.times, new Float64Array(room))
    this.qualities = grow(this.qualities, new Uint16Array(room))
    if (!this.#others) this.#numbers = grow(this.#numbers, new Float64Array(room))
  }
}

function grow<Column extends Float64Array | Uint16Array>(from: Column, to: Column): Column {
  to.set(from)
  return to
}

/** The values of intervals as a column. */
export function columnOf(
  rows: readonly {
    readonly at: number
    readonly value: number | bigint | string | null
    readonly quality: number
  }[],
  isBool: boolean,
): SampleColumn {
  return {
    count: rows.length,
    times: Float64Array.from(rows, ({ at }) => at),
    qualities: Uint16Array.from(rows, ({ quality }) => quality),
    valueAt: (place) => {
      const value = rows[place]?.value ?? null
      return isBool && value !== null ? Number(value) !== 0 : value
    },
  }
}
