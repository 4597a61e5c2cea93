import type { DiskPiece, LossReports } from './disk-piece.ts'
import type { Segment } from './segment.ts'
import type { ReadPiece } from './segment-reader.ts'
import { SegmentReader } from './segment-reader.ts'

/** Reads the segments of a queue one after the other, and notices missing samples. */
export class QueueReader {
  readonly #listSegments: () => readonly Segment[]
  readonly #options: LossReports
  #reader: SegmentReader | null = null
  /** Returned, so it comes again. */
  #ahead: DiskPiece | null = null
  /** The number and time in its segment that the reader has reached. */
  #readTo = 0
  #readAt = -Infinity

  constructor(listSegments: () => readonly Segment[], options: LossReports) {
    this.#listSegments = listSegments
    this.#options = options
  }

  /** The next piece, or null if there is none yet. */
  async next(): Promise<DiskPiece | null> {
    const ahead = this.#ahead
    this.#ahead = null
    if (ahead !== null) return ahead
    for (;;) {
      this.#reader ??= this.#readerAfter(0)
      if (this.#reader === null) return null
      const { segment } = this.#reader
      const piece = await this.#readPiece(this.#reader)
      if (piece !== null) return this.#take(segment, piece)
      if (segment.isUnreadable) continue
      if (!segment.isSealed) return null
      await this.#giveUp(segment, segment.samples, segment.lastAt)
      const reader = this.#readerAfter(segment.number)
      if (reader === null) return null
      this.rewind()
      this.#reader = reader
    }
  }

  giveBack(piece: DiskPiece): void {
    this.#ahead = piece
  }

  /** Starts over at the front. */
  rewind(): void {
    this.#reader = null
    this.#ahead = null
    this.#readTo = 0
    this.#readAt = -Infinity
  }

  /** Starts over at the front, including segments that could not be read. */
  retry(): void {
    for (const segment of this.#listSegments()) segment.isUnreadable = false
    this.rewind()
  }

  /** This segment is about to be deleted. */
  leave(segment: Segment): void {
    if (this.#reader?.segment === segment) this.rewind()
  }

  #readerAfter(number: number): SegmentReader | null {
    const segment = this.#listSegments().find((other) => other.number > number && !other.isUnreadable)
    return segment === undefined ? null : new SegmentReader(segment)
  }

  async #readPiece(reader: SegmentReader): Promise<ReadPiece | null> {
    try {
      return await reader.next()
    } catch (error) {
      const { segment } = reader
      segment.isUnreadable = true
      this.rewind()
      this.#options.onDamaged({ segment: segment.number, reason: String(error) })
      return null
    }
  }

  async #take(segment: Segment, piece: ReadPiece): Promise<DiskPiece> {
    const lastAt = piece.samples.at(-1)?.at ?? this.#readAt
    await this.#giveUp(segment, piece.from, piece.samples[0]?.at ?? lastAt)
    this.#readTo = Math.max(this.#readTo, piece.to)
    this.#readAt = lastAt
    return { ...piece, segment, lastAt }
  }

  /** Samples up to number `to` and time `at` that were written and are not there: what held them is damaged. */
  async #giveUp(segment: Segment, to: number, at: number): Promise<void> {
    const before = segment.released.count
    segment.released.add(this.#readTo, to)
    const samples = segment.released.count - before
    if (samples === 0) return
    this.#options.onDamaged({ segment: segment.number, samples })
    const from = Math.min(Math.max(segment.firstAt, this.#readAt), at)
    await this.#options.onLost({ from, to: at, samples }, segment.taken)
  }
}
