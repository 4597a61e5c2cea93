import type pg from 'pg'
import { copyOutEach } from '../../../kernel/database/copy.ts'
import type { Slices } from '../../../kernel/slices.ts'

/** Signature, flags and header extension of PostgreSQL's binary COPY format. */
const headerBytes = 19
const twoTo32 = 2 ** 32
/** Milliseconds from the Unix epoch to PostgreSQL's, 2000-01-01. */
const postgresEpochMs = 946_684_800_000

/** A query with the receiver of its rows. */
export interface RowQuery {
  /** Text without parameters. */
  readonly text: string
  /** Takes the fields of a row in their order. */
  readonly row: (fields: BinaryFields) => void
}

/**
 * Reads the rows of queries by binary COPY: numbers and bytes come as they are, where a result's rows would be texts. The
 * queries run one after the other, by one way to the database and back.
 */
export async function readRowsOfEach(
  client: pg.ClientBase,
  queries: readonly RowQuery[],
  slices: Slices,
): Promise<void> {
  const texts = queries.map(({ text }) => `copy (${text}) to stdout (format binary)`)
  let begun = -1
  for await (const { place, bytes } of copyOutEach(client, texts, slices.signal)) {
    const fields = new BinaryFields(bytes, place === begun ? 0 : headerBytes)
    begun = place
    // A row is never cut by the end of a block.
    while (fields.nextRow()) queries[place]?.row(fields)
    await slices.next()
  }
}

/** The same of one query. */
export const readRows = (
  client: pg.ClientBase,
  text: string,
  slices: Slices,
  row: (fields: BinaryFields) => void,
): Promise<void> => readRowsOfEach(client, [{ text, row }], slices)

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

  /** A number of 2, 4 or 8 bytes; null if the field is. */
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

  /** The same for a column without nulls. */
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
