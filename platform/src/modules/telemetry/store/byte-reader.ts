import type { NumberRoom } from './number-room.ts'

/** The bytes end too early, or have a form that is never written. */
export class BytesDamaged extends Error {
  override name = 'BytesDamaged'
}

/** Reads the bytes of a `ByteWriter`. Throws `BytesDamaged` at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Buffer
  readonly #room: NumberRoom | undefined
  #place = 0

  constructor(bytes: Buffer, room?: NumberRoom) {
    this.#bytes = bytes
    this.#room = room
  }

  /** Memory for columns that are read; in the room, where there is one, it holds anything. */
  numbers(count: number): Float64Array<ArrayBuffer> {
    return this.#room?.take(count) ?? new Float64Array(count)
  }

  get isAtEnd(): boolean {
    return this.#place === this.#bytes.length
  }

  byte(): number {
    const value = this.#bytes[this.#place]
    if (value === undefined) throw new BytesDamaged('the bytes end early')
    this.#place++
    return value
  }

  varint(): number {
    const bytes = this.#bytes
    let place = this.#place
    let byte = bytes[place++] as number
    let value = byte & 0x7f
    if (byte < 0x80) {
      this.#place = place
      return value
    }
    let factor = 128
    while (byte >= 0x80) {
      byte = bytes[place++] as number
      value += (byte & 0x7f) * factor
      factor *= 128
    }
    if (!(byte < 0x80) || value > Number.MAX_SAFE_INTEGER) throw new BytesDamaged('a number does not end')
    this.#place = place
    return value
  }

  zigzag(): number {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  // Each of the next three runs for every sample of a history: one pass, with short numbers read in place.

  /** Fills `values` with the results of as many calls of `zigzag`. */
  zigzags(values: Float64Array): void {
    const bytes = this.#bytes
    let place = this.#place
    for (let index = 0; index < values.length; index++) {
      const first = bytes[place] as number
      const second = first < 0x80 ? 0 : (bytes[place + 1] as number)
      if (second < 0x80) {
        place += first < 0x80 ? 1 : 2
        const value = (first & 0x7f) | (second << 7)
        values[index] = (value >>> 1) ^ -(value & 1)
      } else {
        this.#place = place
        values[index] = this.zigzag()
        place = this.#place
      }
    }
    this.#endAt(place)
  }

  /** The same, each added to all before it, and divided by `divisor`. */
  sums(values: Float64Array, divisor: number): void {
    const bytes = this.#bytes
    let place = this.#place
    let sum = 0
    for (let index = 0; index < values.length; index++) {
      const first = bytes[place] as number
      const second = first < 0x80 ? 0 : (bytes[place + 1] as number)
      if (second < 0x80) {
        place += first < 0x80 ? 1 : 2
        const value = (first & 0x7f) | (second << 7)
        sum += (value >>> 1) ^ -(value & 1)
      } else {
        this.#place = place
        sum += this.zigzag()
        place = this.#place
      }
      values[index] = sum / divisor
    }
    this.#endAt(place)
  }

  /**
   * The same, added up twice: the first is a number, the second its difference to that, each further one by how much the
   * difference grows. Answers whether each number is greater than the one before.
   */
  sumsOfSums(values: Float64Array): boolean {
    const bytes = this.#bytes
    let place = this.#place
    let sum = 0
    let pace = 0
    let isRising = true
    for (let index = 0; index < values.length; index++) {
      const first = bytes[place] as number
      const second = first < 0x80 ? 0 : (bytes[place + 1] as number)
      if (second < 0x80) {
        place += first < 0x80 ? 1 : 2
        const value = (first & 0x7f) | (second << 7)
        pace += (value >>> 1) ^ -(value & 1)
      } else {
        this.#place = place
        pace += this.zigzag()
        place = this.#place
      }
      sum += pace
      values[index] = sum
      if (index === 0) pace = 0
      else if (!(pace > 0)) isRising = false
    }
    this.#endAt(place)
    return isRising
  }

  float64(): number {
    return this.bytes(8).readDoubleLE()
  }

  /** The next bytes; they share memory. */
  bytes(count: number): Buffer {
    if (this.#place + count > this.#bytes.length) throw new BytesDamaged('the bytes end early')
    const start = this.#place
    this.#place += count
    return this.#bytes.subarray(start, this.#place)
  }

  text(): string {
    return this.bytes(this.varint()).toString()
  }

  #endAt(place: number): void {
    if (place > this.#bytes.length) throw new BytesDamaged('the bytes end early')
    this.#place = place
  }
}
