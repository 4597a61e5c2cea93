import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { TagType } from '../tag-type.ts'
import { ByteReader, BytesDamaged } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { readIntegers, writeIntegers } from './integer-column.ts'
import { readNumbers, writeNumbers } from './number-column.ts'
import { readRuns, writeRuns } from './run-column.ts'
import { readTexts, writeTexts } from './text-column.ts'
import { readTimes, writeTimes } from './time-column.ts'

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
}

/** Byte 0: the version of this format. Byte 1: type and compression. Bytes 2 to 5: CRC-32 of all that follows them. */
const version = 1
const headBytes = 6
const compressedFlag = 0x80
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
/** How the types are stored: never renumbered. */
const storedTypes: readonly TagType[] = ['bool', 'int64', 'float64', 'string']
/** A chunk is of one hour of one tag: more is damage, or an attack on memory. */
const bodyBytesMax = 64 * 1024 * 1024
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
  return seal(writer.written(), column.type)
}

/** Reads a chunk back. Throws `BytesDamaged` where a byte is not what was written. */
export function decodeChunk(chunk: Buffer): ChunkSamples {
  const { type, body } = open(chunk)
  const reader = new ByteReader(body)
  const count = reader.varint()
  if (count > samplesMax) throw new BytesDamaged('a chunk of too many samples')
  const times = readTimes(reader, count)
  const qualities = readRuns(reader, count)
  const lates = readRuns(reader, count)
  const filled = readRuns(reader, count)
  const values = filled.reduce((sum, one) => sum + one, 0)
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
  return { times, qualities, lates, filled, column, stamps }
}

function readColumn(reader: ByteReader, type: TagType, count: number): ChunkValues {
  if (type === 'string') return { type, values: readTexts(reader, count) }
  if (type === 'int64') return { type, values: readIntegers(reader, count) }
  return { type, values: readNumbers(reader, count) }
}

function seal(body: Buffer, type: TagType): Buffer {
  const packed = zstdCompressSync(body, zstdOptions)
  const isSmaller = packed.length < body.length
  const stored = isSmaller ? packed : body
  const chunk = Buffer.allocUnsafeSlow(headBytes + stored.length)
  chunk[0] = version
  chunk[1] = storedTypes.indexOf(type) | (isSmaller ? compressedFlag : 0)
  stored.copy(chunk, headBytes)
  chunk.writeUInt32LE(checksumOf(chunk), 2)
  return chunk
}

function open(chunk: Buffer): { type: TagType; body: Buffer } {
  const [found, head = 0] = chunk
  if (chunk.length < headBytes || found !== version) throw new BytesDamaged('no chunk of this version')
  if (chunk.readUInt32LE(2) !== checksumOf(chunk)) throw new BytesDamaged('the checksum differs')
  const type = storedTypes[head & ~compressedFlag]
  if (type === undefined) throw new BytesDamaged('values of an unknown type')
  const stored = chunk.subarray(headBytes)
  if ((head & compressedFlag) === 0) return { type, body: stored }
  return { type, body: zstdDecompressSync(stored, { maxOutputLength: bodyBytesMax }) }
}

/** Of the head and the body, without the checksum between them. */
const checksumOf = (chunk: Buffer): number => crc32(chunk.subarray(headBytes), crc32(chunk.subarray(0, 2)))
