import { mkdir, readdir, rm } from 'node:fs/promises'
import type { BootTime } from './boot-times.ts'
import { CursorFile, readCursor } from './cursor-file.ts'
import type { DiskPiece, LossReports, Place } from './disk-piece.ts'
import { QueueReader } from './queue-reader.ts'
import type { StoredTag } from './sample-codec.ts'
import type { Segment } from './segment.ts'
import { createSegment, parseSegmentName, readSegment } from './segment.ts'
import type { Piece } from './segment-writer.ts'
import { SegmentWriter } from './segment-writer.ts'

/** The most segments of a full queue: space is released one at a time, and one is read into memory whole. */
const segmentsAtLimit = 64
const segmentBytesMin = 64 * 1024
const segmentBytesMax = 1024 * 1024

export interface DiskQueueOptions extends LossReports {
  folder: string
  /** Of all segments. */
  bytesMax: number
  /** The samples that are dropped when they are full. */
  drop: 'oldest' | 'newest'
  /** The tag of a number in samples. */
  tags: (tag: number) => StoredTag
}

/**
 * A queue of samples on the disk: segment files, written at the end, read from the front, deleted when all of
 * their samples are released. Samples are released in any order. Operations run one at a time; each throws
 * the disk's error and may be repeated.
 */
export class DiskQueue {
  readonly #options: DiskQueueOptions
  readonly #segmentBytes: number
  #segments: Segment[] = []
  #nextNumber = 1
  #writer: SegmentWriter | null = null
  readonly #reader: QueueReader
  /** Written samples that are also elsewhere: not to be read. */
  readonly #held = new Set<string>()
  readonly #cursor: CursorFile
  #tail: Promise<unknown> = Promise.resolve()

  private constructor(options: DiskQueueOptions, cursor: CursorFile) {
    this.#options = options
    this.#cursor = cursor
    this.#reader = new QueueReader(() => this.#segments, options)
    this.#segmentBytes = Math.min(
      segmentBytesMax,
      Math.max(segmentBytesMin, Math.floor(options.bytesMax / segmentsAtLimit)),
    )
  }

  /** Opens the folder, creates it if necessary, and reads what an earlier run left. */
  static async open(options: DiskQueueOptions): Promise<DiskQueue> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 })
    const queue = new DiskQueue(options, await CursorFile.open(options.folder))
    try {
      await queue.#adoptAll()
      return queue
    } catch (error) {
      await queue.#cursor.close()
      throw error
    }
  }

  /** The number of samples that are not released. */
  get waiting(): number {
    return this.#segments.reduce((sum, { samples, released }) => sum + samples - released.count, 0)
  }

  /** About the time of the oldest of them, as it was written; infinite without any. */
  get oldestAt(): number {
    const waiting = this.#segments.filter(({ samples, released }) => samples > released.count)
    return Math.min(...waiting.map(({ firstAt, releasedAt }) => Math.max(firstAt, releasedAt)))
  }

  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
  }

  /**
   * Writes pieces of one boot; returns their places, or null for all of them if the queue is full and the
   * newest are dropped. `hold` keeps them from being read until `unhold`.
   */
  append(pieces: readonly Piece[], taken: BootTime, hold: boolean): Promise<Place[] | null> {
    return this.#run(() => this.#append(pieces, taken, hold))
  }

  /**
   * The oldest samples that are neither released nor held, and were not read since the last rewind. To be called when
   * what it gave before is released, or after a rewind.
   */
  read(samplesMax: number, bytesMax: number): Promise<DiskPiece[]> {
    return this.#run(() => this.#read(samplesMax, bytesMax))
  }

  /** Reads from the front again. */
  rewind(): Promise<void> {
    return this.#run(async () => this.#reader.rewind())
  }

  /** The same, also with segments that could not be read. */
  retry(): Promise<void> {
    return this.#run(async () => this.#reader.retry())
  }

  unhold(place: Place): void {
    this.#held.delete(keyOf(place))
  }

  /** These samples are no longer needed. */
  release(places: readonly Place[]): Promise<void> {
    for (const place of places) {
      const { segment, from, to } = place
      this.#held.delete(keyOf(place))
      segment.released.add(from, to)
      segment.releasedAt = Math.max(segment.releasedAt, place.lastAt)
      segment.sentShifts = segment.sentShifts.filter((sent) => sent.from < from || sent.to > to)
    }
    return this.#run(() => this.#removeReleased())
  }

  /** Resolves when everything written survives a power failure. */
  sync(): Promise<void> {
    return this.#run(async () => this.#writer?.sync())
  }

  async close(): Promise<void> {
    await this.#run(async () => {
      try {
        await this.#removeReleased()
        if (this.#writer?.segment.samples === 0) await this.#removeEmpty(this.#writer)
        await this.#seal()
      } finally {
        await this.#cursor.close()
      }
    })
  }

  async #adoptAll(): Promise<void> {
    const { folder } = this.#options
    const cursor = await readCursor(folder)
    const names = await readdir(folder)
    const numbers = names.flatMap((name) => parseSegmentName(name) ?? []).sort((a, b) => a - b)
    this.#nextNumber = Math.max(numbers.at(-1) ?? 0, cursor?.segment ?? 0) + 1
    for (const number of numbers) await this.#adopt(number)
    for (const segment of this.#segments) {
      if (cursor === null || segment.number > cursor.segment) break
      const released = segment.number < cursor.segment ? segment.samples : cursor.samples
      segment.released.add(0, Math.min(released, segment.samples))
    }
    await this.#removeReleased()
  }

  async #adopt(number: number): Promise<void> {
    try {
      const { segment, tornBytes } = await readSegment(this.#options.folder, number)
      if (tornBytes > 0) this.#options.onDamaged({ segment: number, bytes: tornBytes })
      this.#segments.push(segment)
    } catch (error) {
      this.#options.onDamaged({ segment: number, reason: String(error) })
    }
  }

  async #append(pieces: readonly Piece[], taken: BootTime, hold: boolean): Promise<Place[] | null> {
    const before = this.#writer?.segment
    const isSame = before?.taken?.boot === taken.boot && before.taken.startedAt === taken.startedAt
    if (before && (!isSame || before.bytes >= this.#segmentBytes)) await this.#seal()
    const writer = this.#writer ?? (await this.#begin(taken))
    const bytes = writer.encode(pieces)
    while (this.bytes + bytes.length > this.#options.bytesMax) {
      if (this.#options.drop === 'newest') return null
      const [oldest] = this.#segments
      if (oldest === undefined || oldest === writer.segment) break
      await this.#dropSegment(oldest)
    }
    let from = writer.segment.samples
    await writer.append(pieces, bytes)
    return pieces.map(({ samples }) => {
      const lastAt = samples.at(-1)?.at ?? 0
      const place = { segment: writer.segment, from, to: from + samples.length, lastAt }
      from = place.to
      if (hold) this.#held.add(keyOf(place))
      return place
    })
  }

  async #begin(taken: BootTime): Promise<SegmentWriter> {
    const segment = createSegment(this.#options.folder, this.#nextNumber, taken)
    const writer = await SegmentWriter.create(segment, this.#options.tags)
    this.#nextNumber++
    this.#segments.push(segment)
    this.#writer = writer
    return writer
  }

  async #seal(): Promise<void> {
    const writer = this.#writer
    this.#writer = null
    await writer?.seal()
  }

  async #read(samplesMax: number, bytesMax: number): Promise<DiskPiece[]> {
    const pieces: DiskPiece[] = []
    let samples = 0
    let bytes = 0
    for (;;) {
      const piece = await this.#reader.next()
      if (piece === null) return pieces
      if (piece.segment.released.has(piece.from) || this.#held.has(keyOf(piece))) continue
      samples += piece.samples.length
      bytes += piece.bytes
      if (pieces.length > 0 && (samples > samplesMax || bytes > bytesMax)) {
        this.#reader.giveBack(piece)
        return pieces
      }
      pieces.push(piece)
    }
  }

  async #dropSegment(segment: Segment): Promise<void> {
    const { firstAt, releasedAt, lastAt: to } = segment
    const from = Math.min(Math.max(firstAt, releasedAt), to)
    const samples = segment.samples - segment.released.count
    if (samples > 0) await this.#options.onLost({ from, to, samples }, segment.taken)
    await this.#remove(segment)
  }

  async #removeReleased(): Promise<void> {
    for (const segment of [...this.#segments]) {
      if (segment.samples > segment.released.count) continue
      if (segment !== this.#writer?.segment) await this.#remove(segment)
      else if (segment.samples > 0) await this.#removeEmpty(this.#writer)
    }
    await this.#saveCursor()
  }

  /** Ends the segment that is written to: nothing in it is needed, and most of it never got beyond the system's memory. */
  async #removeEmpty(writer: SegmentWriter): Promise<void> {
    this.#writer = null
    await writer.discard()
    await this.#remove(writer.segment)
  }

  async #remove(segment: Segment): Promise<void> {
    this.#reader.leave(segment)
    await rm(segment.path, { force: true })
    this.#segments = this.#segments.filter((other) => other !== segment)
  }

  async #saveCursor(): Promise<void> {
    const [first] = this.#segments
    if (first !== undefined)
      await this.#cursor.write({ segment: first.number, samples: first.released.firstMissing })
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work)
    this.#tail = result.catch(() => undefined)
    return result
  }
}

function keyOf({ segment, from }: Place): string {
  return `${segment.number}:${from}`
}
