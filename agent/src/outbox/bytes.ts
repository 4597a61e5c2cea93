const lowBits = 0x7f
const moreBit = 0x80

/** Bytes written one after the other into a buffer that grows. Numbers are little-endian. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(1_024)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The bytes written; valid until the next write. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  byte(value: number): void {
    // The buffer may be another one after it grew.
    const at = this.#grow(1)
    this.#buffer[at] = value
  }

  float32(value: number): void {
    const at = this.#grow(4)
    this.#buffer.writeFloatLE(value, at)
  }

  float64(value: number): void {
    const at = this.#grow(8)
    this.#buffer.writeDoubleLE(value, at)
  }

  /** A whole number from 0 to 2^53, seven bits a byte. */
  varint(value: number): void {
    let rest = value
    while (rest > lowBits) {
      this.byte((rest % moreBit) | moreBit)
      rest = Math.floor(rest / moreBit)
    }
    this.byte(rest)
  }

  /** A whole number of either sign below 2^52. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value)
  }

  bigint(value: bigint): void {
    let rest = value < 0n ? -2n * value - 1n : 2n * value
    while (rest > 127n) {
      this.byte(Number(rest & 127n) | moreBit)
      rest >>= 7n
    }
    this.byte(Number(rest))
  }

  text(value: string): void {
    const bytes = Buffer.from(value)
    this.varint(bytes.length)
    const at = this.#grow(bytes.length)
    bytes.copy(this.#buffer, at)
  }

  /** Makes room and returns the offset at which it begins. */
  #grow(bytes: number): number {
    const at = this.#length
    this.#length += bytes
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(2 * this.#length)
      this.#buffer.copy(larger, 0, 0, at)
      this.#buffer = larger
    }
    return at
  }
}

/** Reads what `ByteWriter` wrote. Throws `RangeError` if the bytes end too early or contain impossible values. */
export class ByteReader {
  readonly #buffer: Buffer
  #at = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
  }

  byte(): number {
    const value = this.#buffer[this.#at++]
    if (value === undefined) throw new RangeError('the bytes end too early')
    return value
  }

  float32(): number {
    this.#at += 4
    return this.#buffer.readFloatLE(this.#at - 4)
  }

  float64(): number {
    this.#at += 8
    return this.#buffer.readDoubleLE(this.#at - 8)
  }

  varint(): number {
    let value = 0
    for (let scale = 1; scale <= 2 ** 49; scale *= moreBit) {
      const byte = this.byte()
      value += (byte & lowBits) * scale
      if (byte < moreBit) return value
    }
    throw new RangeError('a number is too long')
  }

  zigzag(): number {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  bigint(): bigint {
    let value = 0n
    for (let shift = 0n; shift <= 70n; shift += 7n) {
      const byte = this.byte()
      value |= BigInt(byte & lowBits) << shift
      if (byte < moreBit) return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n
    }
    throw new RangeError('a number is too long')
  }

  text(): string {
    const length = this.varint()
    const end = this.#at + length
    if (end > this.#buffer.length) throw new RangeError('the bytes end too early')
    const text = this.#buffer.toString('utf8', this.#at, end)
    this.#at = end
    return text
  }
}
