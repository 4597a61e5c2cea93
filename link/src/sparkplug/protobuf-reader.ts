import { LinkError } from '../link-error.ts'

/** Protobuf wire types (Protocol Buffers encoding, "Message Structure"). */
export const WireType = { varint: 0, fixed64: 1, bytes: 2, groupBegin: 3, groupEnd: 4, fixed32: 5 } as const

const groupDepthMax = 32
// Below this many bytes a loop over ASCII beats a call into TextDecoder.
const asciiBytesMax = 48
// A byte-order mark inside a value belongs to the value, so it is kept.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A cursor over protobuf bytes. Every read checks its limit, so a wrong length can neither read beyond the
 * message nor loop. Throws `LinkError` with reason `truncated`, `malformed` or `utf8`.
 */
export class ProtobufReader {
  position = 0
  readonly #bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Field number times 8 plus wire type. Field number 0 does not exist. */
  readTag(end: number): number {
    const tag = this.readUint32(end)
    if (tag < 8) throw new LinkError('malformed', `field number 0 at byte ${this.position}`)
    return tag
  }

  /** A varint's low 32 bits, unsigned; longer encodings of negative numbers are cut as protobuf demands. */
  readUint32(end: number): number {
    const bytes = this.#bytes
    const start = this.position
    if (start < end) {
      const first = bytes[start] as number
      if (first < 0x80) {
        this.position = start + 1
        return first
      }
    }
    let value = 0
    for (let index = 0; index < 10; index++) {
      if (start + index >= end) throw truncated(start)
      const byte = bytes[start + index] as number
      if (index < 5) value |= (byte & 0x7f) << (7 * index)
      if (byte < 0x80) {
        this.position = start + index + 1
        return value >>> 0
      }
    }
    throw new LinkError('malformed', `varint longer than 10 bytes at byte ${start}`)
  }

  /** A varint as a number; above 2^53 it is rounded. */
  readUint64AsNumber(end: number): number {
    const bytes = this.#bytes
    const start = this.position
    let value = 0
    let factor = 1
    for (let index = 0; index < 10; index++) {
      if (start + index >= end) throw truncated(start)
      const byte = bytes[start + index] as number
      // The tenth byte contributes one bit; bits above 64 are dropped.
      value += (index === 9 ? byte & 1 : byte & 0x7f) * factor
      factor *= 128
      if (byte < 0x80) {
        this.position = start + index + 1
        return value
      }
    }
    throw new LinkError('malformed', `varint longer than 10 bytes at byte ${start}`)
  }

  /** A varint as an unsigned 64-bit integer, exact. */
  readUint64(end: number): bigint {
    return BigInt(this.readUint64Exact(end))
  }

  /** The same as a number up to 2^53 - 1, as a bigint above. */
  readUint64Exact(end: number): number | bigint {
    const start = this.position
    const rounded = this.readUint64AsNumber(end)
    if (rounded <= Number.MAX_SAFE_INTEGER) return rounded
    let value = 0n
    for (let index = this.position - 1; index >= start; index--) {
      value = (value << 7n) | BigInt((this.#bytes[index] as number) & 0x7f)
    }
    return BigInt.asUintN(64, value)
  }

  readBoolean(end: number): boolean {
    return this.readUint64AsNumber(end) !== 0
  }

  readFloat(end: number): number {
    return this.#view.getFloat32(this.#advance(4, end), true)
  }

  readDouble(end: number): number {
    return this.#view.getFloat64(this.#advance(8, end), true)
  }

  /** The end of the length-delimited field that begins here; the cursor moves to its first byte. */
  readLength(end: number): number {
    const length = this.readUint64AsNumber(end)
    const fieldEnd = this.position + length
    if (fieldEnd > end) throw truncated(this.position)
    return fieldEnd
  }

  /** A copy of the bytes: the caller's buffer may be used again by the socket it came from. */
  readBytes(end: number): Uint8Array {
    const fieldEnd = this.readLength(end)
    const bytes = this.#bytes.slice(this.position, fieldEnd)
    this.position = fieldEnd
    return bytes
  }

  readString(end: number, bytesMax: number): string {
    const fieldEnd = this.readLength(end)
    const start = this.position
    const length = fieldEnd - start
    if (length > bytesMax) {
      throw new LinkError('limit', `string of ${length} bytes at byte ${start}, at most ${bytesMax}`)
    }
    this.position = fieldEnd
    if (length <= asciiBytesMax) {
      let text = ''
      let index = start
      while (index < fieldEnd) {
        const byte = this.#bytes[index] as number
        if (byte >= 0x80) break
        text += String.fromCharCode(byte)
        index++
      }
      if (index === fieldEnd) return text
    }
    try {
      return utf8.decode(this.#bytes.subarray(start, fieldEnd))
    } catch {
      throw new LinkError('utf8', `string at byte ${start} is not UTF-8`)
    }
  }

  /** Skips an unknown field. Groups are old, but extensions of proto2 may use them. */
  skip(tag: number, end: number): void {
    let depth = 0
    let current = tag
    for (;;) {
      switch (current & 7) {
        case WireType.varint:
          this.readUint32(end)
          break
        case WireType.fixed64:
          this.#advance(8, end)
          break
        case WireType.bytes:
          this.position = this.readLength(end)
          break
        case WireType.groupBegin:
          depth++
          if (depth > groupDepthMax)
            throw new LinkError('limit', `groups nested deeper than ${groupDepthMax}`)
          break
        case WireType.groupEnd:
          depth--
          if (depth < 0)
            throw new LinkError('malformed', `group ends before it begins at byte ${this.position}`)
          break
        case WireType.fixed32:
          this.#advance(4, end)
          break
        default:
          throw new LinkError('malformed', `wire type ${current & 7} at byte ${this.position}`)
      }
      if (depth === 0) return
      current = this.readTag(end)
    }
  }

  #advance(count: number, end: number): number {
    const start = this.position
    if (start + count > end) throw truncated(start)
    this.position = start + count
    return start
  }
}

function truncated(position: number): LinkError {
  return new LinkError('truncated', `the payload ends inside the field at byte ${position}`)
}
