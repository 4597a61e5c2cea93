import type { TagType } from '@busbar/platform/modules/telemetry/tag-type.ts'

/** Signature, flags and header extension of PostgreSQL's binary COPY format. */
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** Milliseconds from the Unix epoch to PostgreSQL's, 2000-01-01. */
const postgresEpochMs = 946_684_800_000
const twoTo32 = 4_294_967_296
/** Everything of a row but its text. */
const rowBytesMax = 96
const initialBytes = 64 * 1024
/** A buffer that a flood made bigger than this is released. */
const keptBytesMax = 4 * 1024 * 1024

/** The columns in the order they are encoded, for the COPY statement. */
export const sampleColumns = 'tag_id, at, received_at, quality, late, num, int, text'
const columnCount = 8

/**
 * Encodes samples into one buffer of PostgreSQL's binary COPY format. Used again after `reset`: what `finish` gave is
 * valid until then.
 */
export class SampleEncoder {
  #bytes = Buffer.allocUnsafeSlow(initialBytes)
  #view = new DataView(this.#bytes.buffer)
  #length = 0
  rows = 0

  constructor() {
    this.reset()
  }

  /** Starts a new COPY. */
  reset(): void {
    if (this.#bytes.length > keptBytesMax) this.#allocate(initialBytes)
    header.copy(this.#bytes)
    this.#length = header.length
    this.rows = 0
  }

  /** Appends a row. `value` is what `judgeValue` gave; times are epoch milliseconds. */
  add(
    tagId: number,
    type: TagType,
    at: number,
    receivedAt: number,
    quality: number,
    late: boolean,
    value: boolean | number | bigint | string | null,
  ): void {
    this.#reserve(rowBytesMax + (typeof value === 'string' ? value.length * 3 : 0))
    const view = this.#view
    let offset = this.#length
    view.setInt16(offset, columnCount)
    offset = this.#int64(offset + 2, tagId)
    offset = this.#int64(offset, (at - postgresEpochMs) * 1000)
    offset = this.#int64(offset, (receivedAt - postgresEpochMs) * 1000)
    view.setInt32(offset, 2)
    view.setInt16(offset + 4, quality)
    view.setInt32(offset + 6, 1)
    view.setUint8(offset + 10, late ? 1 : 0)
    this.#length = this.#value(offset + 11, type, value)
    this.rows++
  }

  /** The whole COPY with its trailer; shares memory with the encoder. */
  finish(): Buffer {
    this.#reserve(2)
    this.#view.setInt16(this.#length, -1)
    return this.#bytes.subarray(0, this.#length + 2)
  }

  #value(start: number, type: TagType, value: boolean | number | bigint | string | null): number {
    const view = this.#view
    let offset = start
    if (typeof value === 'number') {
      view.setInt32(offset, 8)
      view.setFloat64(offset + 4, value)
      offset += 12
    } else {
      view.setInt32(offset, -1)
      offset += 4
    }
    if (typeof value === 'bigint' || typeof value === 'boolean') {
      view.setInt32(offset, 8)
      view.setBigInt64(offset + 4, typeof value === 'bigint' ? value : value ? 1n : 0n)
      offset += 12
    } else {
      view.setInt32(offset, -1)
      offset += 4
    }
    if (type === 'string' && typeof value === 'string') {
      const bytes = this.#bytes.write(value, offset + 4)
      view.setInt32(offset, bytes)
      return offset + 4 + bytes
    }
    view.setInt32(offset, -1)
    return offset + 4
  }

  /** An eight-byte field from a number: exact up to 2^53, and cheaper than a bigint. */
  #int64(offset: number, value: number): number {
    const high = Math.floor(value / twoTo32)
    this.#view.setInt32(offset, 8)
    this.#view.setInt32(offset + 4, high)
    this.#view.setUint32(offset + 8, value - high * twoTo32)
    return offset + 12
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
