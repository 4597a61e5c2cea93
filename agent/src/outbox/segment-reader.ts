import { open } from 'node:fs/promises'
import type { Sample } from '../tag.ts'
import type { Frame } from './frame.ts'
import { findFrame, frameKind } from './frame.ts'
import type { StoredTag } from './sample-codec.ts'
import { decodeSamples, decodeTags } from './sample-codec.ts'
import type { Segment } from './segment.ts'

/** Samples of one frame, their tags as the file explains them. */
export interface ReadPiece {
  /** Their numbers in the segment: [from, to). */
  from: number
  to: number
  samples: Sample[]
  tags: ReadonlyMap<number, StoredTag>
  isFixed: boolean
  /** Length of the frame in bytes. */
  bytes: number
}

/** Reads one segment from its beginning to its current end, once. Damaged parts are skipped. */
export class SegmentReader {
  readonly segment: Segment
  #tags = new Map<number, StoredTag>()
  #bytes = Buffer.alloc(0)
  #at = 0
  /** Number of bytes read from the file. */
  #end = 0

  constructor(segment: Segment) {
    this.segment = segment
  }

  /** The next piece, or null if there is none yet. */
  async next(): Promise<ReadPiece | null> {
    for (;;) {
      const from = this.#at
      const frame = findFrame(this.#bytes, from)
      if (frame === null) {
        if (!(await this.#readOn())) return null
        continue
      }
      this.#at = frame.end
      if (frame.kind === frameKind.tags) this.#explain(decodeTags(frame.payload))
      const piece = frame.kind === frameKind.samples ? this.#piece(frame, from) : null
      if (piece !== null) return piece
    }
  }

  /** Pieces read earlier keep their tags. */
  #explain(tags: readonly [number, StoredTag][]): void {
    if (tags.some(([tag]) => this.#tags.has(tag))) this.#tags = new Map(this.#tags)
    for (const [tag, stored] of tags) this.#tags.set(tag, stored)
  }

  #piece(frame: Frame, at: number): ReadPiece | null {
    try {
      const { first, samples, isFixed } = decodeSamples(frame.payload)
      const numbers = { from: first, to: first + samples.length }
      return { ...numbers, samples, tags: this.#tags, isFixed, bytes: frame.end - at }
    } catch (error) {
      if (error instanceof RangeError) return null
      throw error
    }
  }

  /** Reads data written since; false if there is none. */
  async #readOn(): Promise<boolean> {
    // A running write has not advanced `bytes` yet, so the last frame here is complete.
    const { bytes: written, path } = this.segment
    if (written <= this.#end) return false
    const rest = this.#bytes.subarray(this.#at)
    const added = Buffer.allocUnsafe(written - this.#end)
    const file = await open(path, 'r')
    let got = 0
    try {
      while (got < added.length) {
        const { bytesRead } = await file.read(added, got, added.length - got, this.#end + got)
        if (bytesRead === 0) break
        got += bytesRead
      }
    } finally {
      await file.close()
    }
    const whole = added.subarray(0, got)
    this.#bytes = rest.length === 0 ? whole : Buffer.concat([rest, whole])
    this.#at = 0
    this.#end = written
    return true
  }
}
