import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { Slices } from '../../kernel/slices.ts'
import { IntervalRow, type StoredRow } from './interval-row.ts'
import type { Reading } from './row-gatherer.ts'
import type { NewRow } from './stream-row.ts'
import type { Link } from './wanted-tags.ts'

/** An interval is over when so much time has gone by since its end: values on their way come into it. */
const graceMs = 1_000
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * The rows of one project whose interval is not over. A value belongs to the interval of its arrival, or, if that is over
 * already, to the next one: it is counted once in any case.
 */
export class Intervals {
  readonly everyMs: number
  /** Intervals that begin before have their rows. */
  #closedUntil: number
  /** By interval and link. */
  readonly #rows = new Map<string, IntervalRow>()

  constructor(everyMs: number, closedUntil = 0) {
    this.everyMs = everyMs
    this.#closedUntil = closedUntil
  }

  get closedUntil(): number {
    return this.#closedUntil
  }

  add(reading: Reading): void {
    const from = Math.max(this.#intervalOf(reading.receivedAt), this.#closedUntil)
    const key = `${from} ${reading.link.linkId}`
    const row = this.#rows.get(key) ?? new IntervalRow(reading.link, from)
    this.#rows.set(key, row)
    row.add(reading)
  }

  /** Ends the intervals that are over; `at`: everything that arrived until then was added. */
  close(at: number): Promise<NewRow[]> {
    this.#closedUntil = Math.max(this.#closedUntil, this.#intervalOf(at - graceMs))
    return this.#take(({ from }) => from < this.#closedUntil)
  }

  /** Ends all intervals, because the project wants others. */
  closeAll(): Promise<NewRow[]> {
    return this.#take(() => true)
  }

  /** Drops what links told that the project has no more. */
  keep(isKept: (linkId: number) => boolean): void {
    for (const [key, { link }] of this.#rows) if (!isKept(link.linkId)) this.#rows.delete(key)
  }

  async encode(): Promise<Buffer> {
    const slices = new Slices()
    const rows: string[] = []
    for (const row of this.#rows.values()) {
      rows.push(JSON.stringify(row.store()))
      await slices.next()
    }
    return zstdCompressSync(`[${rows.join(',')}]`, zstdOptions)
  }

  /** Takes back what was encoded; rows of links that the project has no more are left out. */
  restore(bytes: Buffer, linkOf: (linkId: number) => Link | undefined): void {
    for (const stored of JSON.parse(zstdDecompressSync(bytes).toString()) as StoredRow[]) {
      const link = linkOf(stored.linkId)
      if (link) this.#rows.set(`${stored.from} ${stored.linkId}`, IntervalRow.restore(link, stored))
    }
  }

  #intervalOf(at: number): number {
    return Math.floor(at / this.everyMs) * this.everyMs
  }

  async #take(isOver: (row: IntervalRow) => boolean): Promise<NewRow[]> {
    const over = [...this.#rows].filter(([, row]) => isOver(row))
    const slices = new Slices()
    const rows: NewRow[] = []
    for (const [key, row] of over.sort(([, a], [, b]) => a.from - b.from)) {
      this.#rows.delete(key)
      rows.push(row.row())
      await slices.next()
    }
    return rows
  }
}

/** Late values of one commit as rows, one for each interval of their own times. */
export function lateRows(readings: readonly Reading[]): NewRow[] {
  const rows = new Map<string, IntervalRow>()
  for (const reading of readings) {
    const { link, time } = reading
    const from = Math.floor(time / link.everyMs) * link.everyMs
    const key = `${from} ${link.linkId}`
    const row = rows.get(key) ?? new IntervalRow(link, from)
    rows.set(key, row)
    row.add(reading)
  }
  return Array.from(rows.values(), (row) => row.row())
}
