const scratchBytes = 64 * 1024
const twoTo32 = 0x1_0000_0000

export const wireTypes = { varint: 0, double: 1, bytes: 2 } as const

/** A field's number and its type on the wire, as they precede its value. */
export const fieldTag = (field: number, type: number): number => (field << 3) | type

/**
 * Writes protobuf from its end to its beginning: the length of a part is known when its turn comes, so nothing is
 * measured first, and nothing is copied between parts. Fields come in the reverse of their order.
 */
export class ProtobufTail {
  #bytes = Buffer.allocUnsafeSlow(scratchBytes)
  /** Everything from here on is written. */
  #at = scratchBytes

  /** Begins anew; the last result of `take` is gone. */
  begin(): void {
    this.#at = this.#bytes.length
  }

  /** The written bytes; the length of a part is the difference of two of these. */
  get size(): number {
    return this.#bytes.length - this.#at
  }

  /** The bytes and where the message begins in them, valid until the next `begin`. */
  take(): { readonly bytes: Uint8Array; readonly from: number } {
    return { bytes: this.#bytes, from: this.#at }
  }

  /** A whole number of up to 53 bits, or a negative one, as int64 has it. */
  varint(value: number): void {
    if (value < 0) {
      this.bigVarint(BigInt(value))
      return
    }
    let high = value >= twoTo32 ? Math.floor(value / twoTo32) : 0
    let low = value >>> 0
    const size = high === 0 ? sizeOf32(low) : sizeOf53(value)
    this.#reserve(size)
    let place = this.#at - size
    this.#at = place
    for (; high > 0; high >>>= 7) {
      this.#bytes[place++] = (low & 0x7f) | 0x80
      low = ((low >>> 7) | (high << 25)) >>> 0
    }
    for (; low > 0x7f; low >>>= 7) this.#bytes[place++] = (low & 0x7f) | 0x80
    this.#bytes[place] = low
  }

  /** An int64, two's complement where it is negative. */
  bigVarint(value: bigint): void {
    let rest = BigInt.asUintN(64, value)
    const groups: number[] = []
    for (; rest > 0x7fn; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80)
    groups.push(Number(rest))
    this.#reserve(groups.length)
    this.#at -= groups.length
    this.#bytes.set(groups, this.#at)
  }

  double(value: number): void {
    this.#reserve(8)
    this.#at -= 8
    this.#bytes.writeDoubleLE(value, this.#at)
  }

  /** Text with its length before it. */
  text(value: string): void {
    const size = Buffer.byteLength(value)
    this.#reserve(size)
    this.#at -= size
    this.#bytes.write(value, this.#at, size)
    this.varint(size)
  }

  #reserve(size: number): void {
    if (this.#at >= size) return
    const written = this.size
    const larger = Buffer.allocUnsafeSlow(2 * (written + size))
    this.#bytes.copy(larger, larger.length - written, this.#at)
    this.#bytes = larger
    this.#at = larger.length - written
  }
}

const sizeOf32 = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5

const sizeOf53 = (value: number): number =>
  value < 2 ** 35 ? 5 : value < 2 ** 42 ? 6 : value < 2 ** 49 ? 7 : 8
