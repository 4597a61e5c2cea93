import { isUtf8 } from 'node:buffer'
import { malformed } from './packet-fault.ts'

const varintBytesMax = 4

/** Reads the fields of a packet one after the other (MQTT 5.0, 1.5). A missing field makes the packet malformed. */
export class PacketBytes {
  readonly #bytes: Buffer
  readonly #end: number
  #offset: number

  constructor(bytes: Buffer, offset: number, end = bytes.length) {
    this.#bytes = bytes
    this.#offset = offset
    this.#end = end
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#end
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#take(1))
  }

  uint16(): number {
    return this.#bytes.readUInt16BE(this.#take(2))
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#take(4))
  }

  /** A Variable Byte Integer, in as few bytes as it takes (MQTT-1.5.5-1). */
  varint(): number {
    let value = 0
    for (let index = 0; index < varintBytesMax; index++) {
      const byte = this.byte()
      value += (byte & 0x7f) * 128 ** index
      if (byte >= 0x80) continue
      if (byte === 0 && index > 0) throw malformed('a number in more bytes than it takes')
      return value
    }
    throw malformed('a number of more than four bytes')
  }

  /** Text: well-formed UTF-8 without U+0000. Every other character stays, a leading U+FEFF as well (MQTT-1.5.4-3). */
  text(): string {
    const start = this.#takeSized()
    if (!isUtf8(this.#bytes.subarray(start, this.#offset))) throw malformed('text that is not UTF-8')
    const text = this.#bytes.toString('utf8', start, this.#offset)
    if (text.includes('\0')) throw malformed('text with U+0000')
    return text
  }

  /** Bytes with their length before them; they share memory with the packet. */
  binary(): Buffer {
    const start = this.#takeSized()
    return this.#bytes.subarray(start, this.#offset)
  }

  /** A reader of the next `length` bytes alone, which are skipped here. */
  slice(length: number): PacketBytes {
    const start = this.#take(length)
    return new PacketBytes(this.#bytes, start, this.#offset)
  }

  /** The remaining bytes; they share memory with the packet. */
  rest(): Buffer {
    const start = this.#offset
    this.#offset = this.#end
    return this.#bytes.subarray(start, this.#end)
  }

  /** Throws if bytes follow. */
  finish(): void {
    if (!this.isAtEnd) throw malformed('bytes after the last field')
  }

  #takeSized(): number {
    return this.#take(this.uint16())
  }

  /** Passes over `length` bytes; answers where they begin. */
  #take(length: number): number {
    const start = this.#offset
    if (start + length > this.#end) throw malformed('a field beyond the end')
    this.#offset = start + length
    return start
  }
}
