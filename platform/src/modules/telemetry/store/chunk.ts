import type { TagType } from '../tag-type.ts'
import { ByteReader, BytesDamaged } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { readIntegers, writeIntegers } from './integer-column.ts'
import { readNumbers, writeNumbers } from './number-column.ts'
import type { NumberRoom } from './number-room.ts'
import { readRuns, writeRuns } from './run-column.ts'
import { seal, sealedForm, unseal } from './sealed.ts'
import { readTexts, writeTexts } from './text-column.ts'
import { readOrderedTimes, writeTimes } from './time-column.ts'

/** The values of one type, without those that are missing. Switches are 0 and 1. */
export type ChunkValues =
  | { readonly type: 'float64' | 'bool'; readonly values: ArrayLike<number> }
  | { readonly type: 'int64'; readonly values: ArrayLike<bigint> }
  | { readonly type: 'string'; readonly values: readonly string[] }

/** Samples of one tag in the order of their times, as columns. */
export interface ChunkSamples {
  /** Epoch milliseconds. */
  readonly times: ArrayLike<number>
  /** `qualityNumber` of each. */
  readonly qualities: ArrayLike<number>
  /** 1 where a sample came late. */
  readonly lates: ArrayLike<number>
  /** 1 where a sample has a value. */
  readonly filled: ArrayLike<number>
  /** As many as are filled. */
  readonly column: ChunkValues
  /** The machine's own stamps that are not the stored time, by the place of their sample, in rising order. */
  readonly stamps: ReadonlyMap<number, number>
  /** Known where it was read from a chunk: whether each time is later than the one before. */
  readonly isRising?: boolean
}

/** A chunk is of a day of one tag at most: more is damage, or an attack on memory. */
const samplesMax = 8 * 1024 * 1024

const writer = new ByteWriter()

/** The stored form of samples. */
export function encodeChunk(samples: ChunkSamples): Buffer {
  const { times, column } = samples
  writer.reset()
  writer.varint(times.length)
  writeTimes(writer, times)
  writeRuns(writer, samples.qualities)
  writeRuns(writer, samples.lates)
  writeRuns(writer, samples.filled)
  if (column.type === 'string') writeTexts(writer, column.values)
  else if (column.type === 'int64') writeIntegers(writer, column.values)
  else writeNumbers(writer, column.values)
  let before = 0
  for (const [place, stamp] of samples.stamps) {
    writer.varint(place - before + 1)
    writer.zigzag(stamp - (times[place] as number))
    before = place
  }
  writer.varint(0)
  return seal(sealedForm.chunk, writer.written(), column.type)
}

/**
 * Reads a chunk back. Throws `BytesDamaged` if a byte has changed since it was written. With a room its columns are in
 * it, and are valid until it is cleared.
 */
export function decodeChunk(chunk: Buffer, room?: NumberRoom): ChunkSamples {
  const { type, body } = unseal(sealedForm.chunk, chunk)
  const reader = new ByteReader(body, room)
  const count = reader.varint()
  if (count > samplesMax) throw new BytesDamaged('a chunk of too many samples')
  const { times, isRising } = readOrderedTimes(reader, count)
  const qualities = readRuns(reader, count)
  const lates = readRuns(reader, count)
  const filled = readRuns(reader, count)
  let values = 0
  for (let sample = 0; sample < count; sample++) values += filled[sample] as number
  const column = readColumn(reader, type, values)
  const stamps = new Map<number, number>()
  let place = 0
  for (let step = reader.varint(); step > 0; step = reader.varint()) {
    place += step - 1
    const time = times[place]
    if (time === undefined) throw new BytesDamaged('a stamp without a sample')
    stamps.set(place, time + reader.zigzag())
  }
  if (!reader.isAtEnd) throw new BytesDamaged('bytes after the end')
  return { times, qualities, lates, filled, column, stamps, isRising }
}

function readColumn(reader: ByteReader, type: TagType, count: number): ChunkValues {
  if (type === 'string') return { type, values: readTexts(reader, count) }
  if (type === 'int64') return { type, values: readIntegers(reader, count) }
  return { type, values: readNumbers(reader, count) }
}

/** For a place how many values there are before it. */
export function valuesBefore({ filled, column }: ChunkSamples, place: number): number {
  if (column.values.length === filled.length) return place
  let count = 0
  for (let each = 0; each < place; each++) count += filled[each] as number
  return count
}
