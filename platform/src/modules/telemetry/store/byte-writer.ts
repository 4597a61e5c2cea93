const initialBytes = 4 * 1024
/** A buffer that one large chunk made bigger than this is given back. */
const keptBytesMax = 4 * 1024 * 1024
const twoTo31 = 0x8000_0000

/** Above it, twice the number is not an exact double. */
export const zigzagMax = 2 ** 52

/** Writes numbers of unknown size into one buffer that grows. Used again after `reset`. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(initialBytes)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Starts anew. */
  reset(): void {
    if (this.#bytes.length > keptBytesMax) this.#allocate(initialBytes)
    this.#length = 0
  }

  /** The written bytes; shares memory with the writer. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  /** A whole number from 0 to 2^53 - 1, seven bits a byte, the lowest first. */
  varint(value: number): void {
    this.#reserve(8)
    const bytes = this.#bytes
    let length = this.#length
    let rest = value
    while (rest >= twoTo31) {
      bytes[length++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    while (rest >= 0x80) {
      bytes[length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    bytes[length++] = rest
    this.#length = length
  }

  /** A whole number between plus and minus `zigzagMax`, small ones of either sign in few bytes. */
  zigzag(value: number): void {
    this.varint(value >= 0 ? value * 2 : -value * 2 - 1)
  }

  float64(value: number): void {
    this.#reserve(8)
    this.#view.setFloat64(this.#length, value, true)
    this.#length += 8
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  /** A text with the length of its UTF-8 before it. */
  text(value: string): void {
    const count = Buffer.byteLength(value)
    this.varint(count)
    this.#reserve(count)
    this.#length += this.#bytes.write(value, this.#length)
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const before = this.#bytes
    this.#allocate(Math.max(before.length * 2, this.#length + count))
    before.copy(this.#bytes, 0, 0, this.#length)
  }

  #allocate(count: number): void {
    // Never from Node's shared pool: the view needs the whole buffer to itself.
    this.#bytes = Buffer.allocUnsafeSlow(count)
    this.#view = new DataView(this.#bytes.buffer)
  }
}
