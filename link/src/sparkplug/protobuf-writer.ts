import { LinkError } from '../link-error.ts'
import { WireType } from './protobuf-reader.ts'

const initialBytes = 1024
// Up to this many characters a loop over ASCII beats a call into TextEncoder; below 128 the length is one byte.
const asciiCharactersMax = 48
const encoder = new TextEncoder()

/** Appends protobuf fields to a buffer that grows. Throws `LinkError` `unsupported` for numbers out of range. */
export class ProtobufWriter {
  #bytes = new Uint8Array(initialBytes)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  /** A copy of the written bytes. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  /** A uint64 given as a number: an integer from 0 to 2^53. */
  writeUint64(field: number, value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new LinkError('unsupported', `${value} is not an integer from 0 to 2^53`)
    }
    this.#writeTag(field, WireType.varint)
    this.#writeVarint(value)
  }

  /** A uint32 from -2^31 to 2^32-1; negative numbers go as two's complement. */
  writeUint32(field: number, value: number): void {
    if (!Number.isInteger(value) || value < -0x80000000 || value > 0xffffffff) {
      throw new LinkError('unsupported', `${value} is not an integer of 32 bits`)
    }
    this.#writeTag(field, WireType.varint)
    this.#writeVarint(value >>> 0)
  }

  /** A uint64 from -2^63 to 2^64-1; negative numbers go as two's complement. */
  writeBigUint64(field: number, value: bigint): void {
    if (value < -0x8000000000000000n || value > 0xffffffffffffffffn) {
      throw new LinkError('unsupported', `${value} is not an integer of 64 bits`)
    }
    this.#writeTag(field, WireType.varint)
    let rest = BigInt.asUintN(64, value)
    this.#reserve(10)
    while (rest > 0x7fn) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80
      rest >>= 7n
    }
    this.#bytes[this.#length++] = Number(rest)
  }

  writeBoolean(field: number, value: boolean): void {
    this.#writeTag(field, WireType.varint)
    this.#writeVarint(value ? 1 : 0)
  }

  writeFloat(field: number, value: number): void {
    this.#writeTag(field, WireType.fixed32)
    this.#reserve(4)
    this.#view.setFloat32(this.#length, value, true)
    this.#length += 4
  }

  writeDouble(field: number, value: number): void {
    this.#writeTag(field, WireType.fixed64)
    this.#reserve(8)
    this.#view.setFloat64(this.#length, value, true)
    this.#length += 8
  }

  writeString(field: number, value: string): void {
    const length = value.length
    if (length > asciiCharactersMax) {
      this.writeBytes(field, encoder.encode(value))
      return
    }
    this.#reserve(16 + length)
    const begin = this.#length
    this.#writeTag(field, WireType.bytes)
    this.#bytes[this.#length++] = length
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index)
      if (code >= 0x80) {
        this.#length = begin
        this.writeBytes(field, encoder.encode(value))
        return
      }
      this.#bytes[this.#length++] = code
    }
  }

  writeBytes(field: number, value: Uint8Array): void {
    this.#writeTag(field, WireType.bytes)
    this.#writeVarint(value.byteLength)
    this.#reserve(value.byteLength)
    this.#bytes.set(value, this.#length)
    this.#length += value.byteLength
  }

  /** A nested message. Its length is known only afterwards: one byte is kept for it and widened when it must. */
  writeMessage(field: number, write: () => void): void {
    this.#writeTag(field, WireType.bytes)
    this.#reserve(1)
    const lengthAt = this.#length
    this.#length++
    const start = this.#length
    write()
    const length = this.#length - start
    const extra = varintBytes(length) - 1
    if (extra > 0) {
      this.#reserve(extra)
      this.#bytes.copyWithin(start + extra, start, this.#length)
    }
    this.#length = lengthAt
    this.#writeVarint(length)
    this.#length = start + extra + length
  }

  #writeTag(field: number, wireType: number): void {
    this.#writeVarint(field * 8 + wireType)
  }

  #writeVarint(value: number): void {
    this.#reserve(8)
    let rest = value
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length++] = rest
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.byteLength) return
    const grown = new Uint8Array(Math.max(needed, this.#bytes.byteLength * 2))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
    this.#view = new DataView(grown.buffer)
  }
}

function varintBytes(value: number): number {
  let count = 1
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) count++
  return count
}
