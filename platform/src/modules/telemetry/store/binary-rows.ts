import type pg from 'pg'
import { copyOut } from '../../../kernel/database/copy.ts'
import type { Slices } from './slices.ts'

/** Signature, flags and header extension of PostgreSQL's binary COPY format. */
const headerBytes = 19
const twoTo32 = 2 ** 32
/** Milliseconds from the Unix epoch to PostgreSQL's, 2000-01-01. */
const postgresEpochMs = 946_684_800_000

/**
 * Reads the rows of a query, given as text without parameters, by binary COPY: numbers and bytes come as they are, where a
 * result's rows would be texts. `row` takes the fields of each in their order.
 */
export async function readRows(
  client: pg.ClientBase,
  query: string,
  slices: Slices,
  row: (fields: BinaryFields) => void,
): Promise<void> {
  let isFirst = true
  for await (const block of copyOut(client, `copy (${query}) to stdout (format binary)`)) {
    const fields = new BinaryFields(block, isFirst ? headerBytes : 0)
    isFirst = false
    // A row is never cut by the end of a block.
    while (fields.nextRow()) row(fields)
    await slices.next()
  }
}

/** The fields of the rows in a block. */
export class BinaryFields {
  readonly #block: Buffer
  readonly #view: DataView
  #place: number

  constructor(block: Buffer, place: number) {
    this.#block = block
    this.#view = new DataView(block.buffer, block.byteOffset, block.length)
    this.#place = place
  }

  /** Goes to the next row; false at the end of the block, or of all rows. */
  nextRow(): boolean {
    if (this.#place >= this.#block.length) return false
    const fields = this.#view.getInt16(this.#place)
    this.#place += 2
    return fields !== -1
  }

  /** A number of 2, 4 or 8 bytes; null where the field is. */
  integer(): number | null {
    const view = this.#view
    const count = view.getInt32(this.#place)
    const place = this.#place + 4
    if (count === -1) {
      this.#place = place
      return null
    }
    this.#place = place + count
    if (count === 8) return view.getInt32(place) * twoTo32 + view.getUint32(place + 4)
    return count === 4 ? view.getInt32(place) : view.getInt16(place)
  }

  /** The same where the column has no null. */
  number(): number {
    return this.integer() ?? 0
  }

  bigint(): bigint | null {
    const place = this.#field()
    return place === -1 ? null : this.#view.getBigInt64(place)
  }

  float(): number | null {
    const place = this.#field()
    return place === -1 ? null : this.#view.getFloat64(place)
  }

  boolean(): boolean {
    const place = this.#field()
    return place !== -1 && this.#block[place] === 1
  }

  /** An instant, epoch milliseconds. */
  instant(): number {
    return this.number() / 1_000 + postgresEpochMs
  }

  /** The bytes share memory with the block. */
  bytes(): Buffer | null {
    const place = this.#field()
    return place === -1 ? null : this.#block.subarray(place, this.#place)
  }

  text(): string | null {
    const place = this.#field()
    return place === -1 ? null : this.#block.toString('utf8', place, this.#place)
  }

  /** Where the next field begins, -1 for null; the place moves behind it. */
  #field(): number {
    const count = this.#view.getInt32(this.#place)
    const place = this.#place + 4
    this.#place = count === -1 ? place : place + count
    return count === -1 ? -1 : place
  }
}
