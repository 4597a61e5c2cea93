/** The bytes end before what they should hold, or hold what nothing writes. */
export class BytesDamaged extends Error {
  override name = 'BytesDamaged'
}

/** Reads what a `ByteWriter` wrote. Throws `BytesDamaged` at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Buffer
  #place = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
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

  /** Fills `values` with what as many calls of `zigzag` would read. */
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
    if (place > bytes.length) throw new BytesDamaged('the bytes end early')
    this.#place = place
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
}
