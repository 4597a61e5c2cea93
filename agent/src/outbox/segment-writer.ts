import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Sample } from '../tag.ts'
import { encodeFrame, frameKind } from './frame.ts'
import type { StoredTag } from './sample-codec.ts'
import { encodeSamples, encodeTags } from './sample-codec.ts'
import type { Segment } from './segment.ts'
import { encodeHeader, encodeSummary, noteSamples } from './segment.ts'
import { syncFolder } from './sync-folder.ts'

/** Of one frame: even with every text as long as it may be it stays far below what a frame holds. */
const tagsPerFrameMax = 200

/** Samples of one kind, written as one. */
export interface Piece {
  samples: readonly Sample[]
  isFixed: boolean
}

/**
 * Appends to one segment. A failed write leaves the segment as it was: the next write begins at the same
 * place, and a reader skips the rest of the failed one.
 */
export class SegmentWriter {
  readonly segment: Segment
  readonly #file: FileHandle
  readonly #tags: (tag: number) => StoredTag
  readonly #explained = new Map<number, StoredTag>()
  /** Of the bytes that were encoded last. */
  #toExplain: readonly (readonly [number, StoredTag])[] = []
  #isSynced = true
  /** The file's name is on the disk, too. */
  #isListed = false

  private constructor(segment: Segment, file: FileHandle, tags: (tag: number) => StoredTag) {
    this.segment = segment
    this.#file = file
    this.#tags = tags
  }

  /** `tags` gives the meaning of the numbers in samples. */
  static async create(segment: Segment, tags: (tag: number) => StoredTag): Promise<SegmentWriter> {
    const file = await open(segment.path, 'w')
    try {
      const writer = new SegmentWriter(segment, file, tags)
      if (segment.taken !== null) await writer.#write(encodeHeader(segment.taken))
      return writer
    } catch (error) {
      await file.close().catch(() => undefined)
      throw error
    }
  }

  /** The bytes that `append` would add. */
  encode(pieces: readonly Piece[]): Buffer {
    const tags = this.#unexplained(pieces)
    this.#toExplain = tags
    const frames: Buffer[] = []
    for (let from = 0; from < tags.length; from += tagsPerFrameMax) {
      frames.push(encodeFrame(frameKind.tags, encodeTags(tags.slice(from, from + tagsPerFrameMax))))
    }
    let first = this.segment.samples
    for (const { samples, isFixed } of pieces) {
      frames.push(
        encodeFrame(frameKind.samples, encodeSamples({ first, samples: samples as Sample[], isFixed })),
      )
      first += samples.length
    }
    return Buffer.concat(frames)
  }

  #unexplained(pieces: readonly Piece[]): [number, StoredTag][] {
    const numbers = new Set(pieces.flatMap(({ samples }) => samples.map(({ tag }) => tag)))
    return [...numbers].flatMap((tag) => {
      const stored = this.#tags(tag)
      return this.#explained.get(tag) === stored ? [] : [[tag, stored]]
    })
  }

  /** Writes `bytes`, which are `pieces` encoded. */
  async append(pieces: readonly Piece[], bytes: Buffer): Promise<void> {
    const explained = this.#toExplain
    await this.#write(bytes)
    for (const [tag, stored] of explained) this.#explained.set(tag, stored)
    for (const { samples } of pieces)
      noteSamples(this.segment, this.segment.samples + samples.length, samples)
  }

  /** Resolves when everything written survives a power failure. */
  async sync(): Promise<void> {
    if (this.#isSynced) return
    this.#isSynced = true
    try {
      await this.#file.datasync()
      if (!this.#isListed) await syncFolder(dirname(this.segment.path))
      this.#isListed = true
    } catch (error) {
      this.#isSynced = false
      throw error
    }
  }

  /** Ends the segment; without its summary it is only slower to open. */
  async seal(): Promise<void> {
    this.segment.isSealed = true
    try {
      await this.#write(encodeSummary(this.segment))
      await this.sync()
    } finally {
      await this.#file.close()
    }
  }

  /** Ends a segment that is no longer needed. */
  async discard(): Promise<void> {
    this.segment.isSealed = true
    await this.#file.close()
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#isSynced = false
    for (let done = 0; done < bytes.length; ) {
      const at = this.segment.bytes + done
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, at)
      done += bytesWritten
    }
    this.segment.bytes += bytes.length
  }
}
