import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BootTime } from './boot-times.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { decodeFrame, encodeFrame, findFrame, frameKind } from './frame.ts'
import { Ranges } from './ranges.ts'
import { decodeSamples } from './sample-codec.ts'

/*
 * A segment is one file of the queue: a header, then tags and samples as they come, at last a summary. Samples are
 * numbered from 0 in each segment and name their tags by numbers that the segment itself explains, so that each file
 * can be read alone, whatever the configuration is by then.
 */

const version = 1
const headBytes = 4_096
const namePattern = /^(\d{12})\.seg$/

/** The facts about a segment that are known without reading its samples. */
export interface Segment {
  readonly number: number
  readonly path: string
  /** The boot its samples were taken in, and when that was by the clock of the moment. Null: the header is lost. */
  readonly taken: BootTime | null
  bytes: number
  /** Number of samples written, which is also the number of the next one. */
  samples: number
  /** Of its samples as they were written, epoch ms; infinite without any. */
  firstAt: number
  lastAt: number
  /** Samples that are no longer to be sent. */
  readonly released: Ranges
  /** The latest time of them, as written. */
  releasedAt: number
  /** Shifts of time that samples were sent with, so that they are repeated with the same. */
  sentShifts: { from: number; to: number; shiftMs: number }[]
  /** No further samples are written to it. */
  isSealed: boolean
  /** The disk would not give it; it waits for the next connection. */
  isUnreadable: boolean
}

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(12, '0')}.seg`)
}

/** The number in a segment's file name, or null for any other file. */
export function parseSegmentName(name: string): number | null {
  const digits = namePattern.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

export function createSegment(folder: string, number: number, taken: BootTime): Segment {
  return { ...emptySegment(number, segmentPath(folder, number)), taken }
}

export function encodeHeader(taken: BootTime): Buffer {
  return encodeFrame(frameKind.header, Buffer.from(JSON.stringify({ version, ...taken })))
}

export function encodeSummary({ samples, firstAt, lastAt }: Segment): Buffer {
  const writer = new ByteWriter()
  writer.float64(samples)
  writer.float64(firstAt)
  writer.float64(lastAt)
  return encodeFrame(frameKind.summary, writer.bytes())
}

const summaryBytes = encodeFrame(frameKind.summary, Buffer.alloc(24)).length

/**
 * Reads the facts of a segment that an earlier run left: from its two ends or, if it was not finished, from
 * all of it. The second answer is the number of bytes at its end without a complete frame.
 */
export async function readSegment(
  folder: string,
  number: number,
): Promise<{ segment: Segment; tornBytes: number }> {
  const path = segmentPath(folder, number)
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(size, headBytes))
    await file.read(head, 0, head.length, 0)
    const tail = Buffer.alloc(Math.min(size, summaryBytes))
    await file.read(tail, 0, tail.length, size - tail.length)
    const segment: Segment = {
      ...emptySegment(number, path),
      taken: parseHeader(head),
      bytes: size,
      isSealed: true,
    }
    const summary = decodeFrame(tail, 0)
    if (summary?.kind === frameKind.summary) {
      const reader = new ByteReader(summary.payload)
      segment.samples = reader.float64()
      segment.firstAt = reader.float64()
      segment.lastAt = reader.float64()
      return { segment, tornBytes: 0 }
    }
    return { segment, tornBytes: scan(segment, await readFile(path)) }
  } finally {
    await file.close()
  }
}

/** Counts the contents of a segment; returns the number of bytes at its end without a complete frame. */
function scan(segment: Segment, bytes: Buffer): number {
  let at = 0
  for (let frame = findFrame(bytes, at); frame !== null; frame = findFrame(bytes, at)) {
    at = frame.end
    if (frame.kind !== frameKind.samples) continue
    try {
      const { first, samples } = decodeSamples(frame.payload)
      noteSamples(segment, first + samples.length, samples)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return bytes.length - at
}

/** Adds samples to the known facts; `end` is the number after the last. */
export function noteSamples(segment: Segment, end: number, samples: readonly { at: number }[]): void {
  segment.samples = end
  for (const { at } of samples) {
    segment.firstAt = Math.min(segment.firstAt, at)
    segment.lastAt = Math.max(segment.lastAt, at)
  }
}

function parseHeader(head: Buffer): BootTime | null {
  const frame = decodeFrame(head, 0)
  if (frame?.kind !== frameKind.header) return null
  const { version: written, boot, startedAt } = JSON.parse(frame.payload.toString('utf8'))
  return written === version ? { boot, startedAt } : null
}

function emptySegment(number: number, path: string): Segment {
  return {
    number,
    path,
    taken: null,
    bytes: 0,
    samples: 0,
    firstAt: Infinity,
    lastAt: -Infinity,
    released: new Ranges(),
    releasedAt: -Infinity,
    sentShifts: [],
    isSealed: false,
    isUnreadable: false,
  }
}
