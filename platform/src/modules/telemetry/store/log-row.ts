import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { TagType } from '../tag-type.ts'
import { ByteReader, BytesDamaged } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { readIntegers, writeIntegers } from './integer-column.ts'
import { readRuns, writeRuns } from './run-column.ts'
import { readTexts, writeTexts } from './text-column.ts'

export type SampleValue = boolean | number | bigint | string | null

/** Takes samples one after the other. */
export interface SampleSink {
  /** Times are whole epoch milliseconds; `stamp` is the machine's own, `at` where it is the same. */
  add(
    tagId: number,
    type: TagType,
    at: number,
    receivedAt: number,
    quality: number,
    late: boolean,
    value: SampleValue,
    stamp: number,
  ): void
}

/** Byte 0: the version of this format. Byte 1: 1 where compressed. Bytes 2 to 5: CRC-32 of all but these four. */
const version = 1
const headBytes = 6
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** The stored numbers of the types: never renumbered. */
const storedTypes: readonly TagType[] = ['bool', 'int64', 'float64', 'string']
const typeNumber = { bool: 0, int64: 1, float64: 2, string: 3 } as const
/** More is damage, or an attack on memory. */
const samplesMax = 4 * 1024 * 1024
const bodyBytesMax = 256 * 1024 * 1024
const initialSamples = 4_096
/** Buffers that one large commit made bigger than this are given back. */
const keptSamplesMax = 65_536
/** The year 10000. Stamps from then on, and before 1970, are not kept. */
const stampEnd = 253_402_300_800_000

/** Whether the stamp of a sample is kept beside its time. */
export const isStampKept = (stamp: number, at: number): boolean =>
  stamp !== at && stamp >= 0 && stamp < stampEnd

/** Encodes the samples of one commit, in the order of their arrival, as columns. Used again after `reset`. */
export class LogRowEncoder implements SampleSink {
  readonly #writer = new ByteWriter()
  #tags = new Float64Array(initialSamples)
  #times = new Float64Array(initialSamples)
  #receiveds = new Float64Array(initialSamples)
  #numbers = new Float64Array(initialSamples)
  #qualities = new Uint16Array(initialSamples)
  /** Type, `late` and whether there is a value. */
  #forms = new Uint8Array(initialSamples)
  #numberCount = 0
  #bools: number[] = []
  #integers: bigint[] = []
  #texts: string[] = []
  #stamps: { readonly place: number; readonly stamp: number }[] = []
  count = 0

  reset(): void {
    if (this.#tags.length > keptSamplesMax) this.#allocate(initialSamples)
    this.count = 0
    this.#numberCount = 0
    this.#bools = []
    this.#integers = []
    this.#texts = []
    this.#stamps = []
  }

  add(
    tagId: number,
    type: TagType,
    at: number,
    receivedAt: number,
    quality: number,
    late: boolean,
    value: SampleValue,
    stamp: number,
  ): void {
    const place = this.count++
    if (place === this.#tags.length) this.#allocate(place * 2)
    this.#tags[place] = tagId
    this.#times[place] = at
    this.#receiveds[place] = receivedAt
    this.#qualities[place] = quality
    this.#forms[place] = typeNumber[type] | (late ? lateBit : 0) | (value === null ? 0 : filledBit)
    if (stamp !== at && isStampKept(stamp, at)) this.#stamps.push({ place, stamp })
    if (typeof value === 'number') this.#numbers[this.#numberCount++] = value
    else if (typeof value === 'bigint') this.#integers.push(value)
    else if (typeof value === 'boolean') this.#bools.push(value ? 1 : 0)
    else if (value !== null) this.#texts.push(value)
  }

  /** The stored form of the added samples. */
  finish(): Buffer {
    const { count } = this
    const writer = this.#writer
    writer.reset()
    writer.varint(count)
    this.#writeTags(count)
    this.#writeTimes(count)
    writeRuns(writer, this.#qualities.subarray(0, count))
    writeRuns(writer, this.#forms.subarray(0, count))
    this.#writeNumbers()
    writer.varint(this.#bools.length)
    writeRuns(writer, this.#bools)
    writer.varint(this.#integers.length)
    writeIntegers(writer, this.#integers)
    writer.varint(this.#texts.length)
    writeTexts(writer, this.#texts)
    this.#writeStamps()
    return seal(writer.written())
  }

  #writeTags(count: number): void {
    const tags = this.#tags
    let before = 0
    for (let place = 0; place < count; place++) {
      const tagId = tags[place] as number
      this.#writer.zigzag(tagId - before)
      before = tagId
    }
  }

  /** The times of arrival in runs, then each time as its difference to that. */
  #writeTimes(count: number): void {
    const receiveds = this.#receiveds
    const times = this.#times
    const writer = this.#writer
    let before = 0
    for (let place = 0; place < count; ) {
      const receivedAt = receiveds[place] as number
      let end = place + 1
      while (end < count && receiveds[end] === receivedAt) end++
      writer.zigzag(receivedAt - before)
      writer.varint(end - place)
      before = receivedAt
      place = end
    }
    for (let place = 0; place < count; place++)
      writer.zigzag((times[place] as number) - (receiveds[place] as number))
  }

  /** Four bytes each where single precision holds all of them exactly, otherwise eight. */
  #writeNumbers(): void {
    const numbers = this.#numbers.subarray(0, this.#numberCount)
    this.#writer.varint(numbers.length)
    let isSingle = true
    for (let place = 0; place < numbers.length && isSingle; place++) {
      const value = numbers[place] as number
      isSingle = Math.fround(value) === value
    }
    this.#writer.byte(isSingle ? 4 : 8)
    const column = isSingle ? Float32Array.from(numbers) : numbers
    this.#writer.bytes(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  }

  #writeStamps(): void {
    const writer = this.#writer
    let before = 0
    for (const { place, stamp } of this.#stamps) {
      writer.varint(place - before + 1)
      writer.zigzag(stamp - (this.#times[place] as number))
      before = place
    }
    writer.varint(0)
  }

  #allocate(size: number): void {
    const { count } = this
    const grown = <Column extends Float64Array | Uint16Array | Uint8Array>(column: Column): Column => {
      const next = new (column.constructor as new (length: number) => Column)(size)
      next.set(column.subarray(0, Math.min(count, size)))
      return next
    }
    this.#tags = grown(this.#tags)
    this.#times = grown(this.#times)
    this.#receiveds = grown(this.#receiveds)
    this.#numbers = grown(this.#numbers)
    this.#qualities = grown(this.#qualities)
    this.#forms = grown(this.#forms)
  }
}

const typeMask = 3
const lateBit = 4
const filledBit = 8

/** Reads a row back into `sink`; returns the number of samples. Throws `BytesDamaged` before the first one, or not at all. */
export function decodeLogRow(row: Buffer, sink: SampleSink): number {
  const reader = new ByteReader(open(row))
  const count = reader.varint()
  if (count > samplesMax) throw new BytesDamaged('a commit of too many samples')
  const tags = readTags(reader, count)
  const receiveds = readArrivals(reader, count)
  const times = new Float64Array(count)
  for (let place = 0; place < count; place++) times[place] = (receiveds[place] as number) + reader.zigzag()
  const qualities = readRuns(reader, count)
  const forms = readRuns(reader, count)
  const values = {
    number: readNumbers(reader, bounded(reader, count)),
    bool: readRuns(reader, bounded(reader, count)),
    int64: readIntegers(reader, bounded(reader, count)),
    string: readTexts(reader, bounded(reader, count)),
  }
  const stamps = readStamps(reader, times)
  if (!reader.isAtEnd) throw new BytesDamaged('bytes after the end')
  checkCounts(forms, values)
  const next = { number: 0, bool: 0, int64: 0, string: 0 }
  for (let place = 0; place < count; place++) {
    const form = forms[place] as number
    const type = storedTypes[form & typeMask] as TagType
    const at = times[place] as number
    let value: SampleValue = null
    if ((form & filledBit) !== 0) {
      if (type === 'float64') value = values.number[next.number++] as number
      else if (type === 'bool') value = values.bool[next.bool++] === 1
      else if (type === 'int64') value = values.int64[next.int64++] as bigint
      else value = values.string[next.string++] as string
    }
    sink.add(
      tags[place] as number,
      type,
      at,
      receiveds[place] as number,
      qualities[place] as number,
      (form & lateBit) !== 0,
      value,
      stamps.get(place) ?? at,
    )
  }
  return count
}

/** Reads the number of following items, at most the number of samples. */
function bounded(reader: ByteReader, max: number): number {
  const count = reader.varint()
  if (count > max) throw new BytesDamaged('more values than samples')
  return count
}

interface Values {
  readonly number: Float64Array
  readonly bool: Uint16Array
  readonly int64: BigInt64Array
  readonly string: readonly string[]
}

function checkCounts(forms: Uint16Array, { number, bool, int64, string }: Values): void {
  const counts = [0, 0, 0, 0]
  for (const form of forms)
    if ((form & filledBit) !== 0) counts[form & typeMask] = (counts[form & typeMask] as number) + 1
  const found = [bool.length, int64.length, number.length, string.length]
  if (counts.some((count, type) => count !== found[type])) throw new BytesDamaged('values are missing')
}

function readTags(reader: ByteReader, count: number): Float64Array {
  const tags = new Float64Array(count)
  let tagId = 0
  for (let place = 0; place < count; place++) {
    tagId += reader.zigzag()
    tags[place] = tagId
  }
  return tags
}

function readArrivals(reader: ByteReader, count: number): Float64Array {
  const arrivals = new Float64Array(count)
  let at = 0
  for (let place = 0; place < count; ) {
    at += reader.zigzag()
    const end = place + reader.varint()
    if (end === place || end > count) throw new BytesDamaged('a run is too long')
    arrivals.fill(at, place, end)
    place = end
  }
  return arrivals
}

function readNumbers(reader: ByteReader, count: number): Float64Array {
  const width = reader.byte()
  if (width !== 4 && width !== 8) throw new BytesDamaged('numbers of an unknown form')
  // A copy, because typed arrays need their place in memory aligned.
  const { buffer } = Uint8Array.from(reader.bytes(count * width))
  return width === 4 ? Float64Array.from(new Float32Array(buffer)) : new Float64Array(buffer)
}

function readStamps(reader: ByteReader, times: Float64Array): ReadonlyMap<number, number> {
  const stamps = new Map<number, number>()
  let place = 0
  for (let step = reader.varint(); step > 0; step = reader.varint()) {
    place += step - 1
    const at = times[place]
    if (at === undefined) throw new BytesDamaged('a stamp without a sample')
    stamps.set(place, at + reader.zigzag())
  }
  return stamps
}

function seal(body: Buffer): Buffer {
  const packed = zstdCompressSync(body, zstdOptions)
  const isSmaller = packed.length < body.length
  const stored = isSmaller ? packed : body
  const row = Buffer.allocUnsafeSlow(headBytes + stored.length)
  row[0] = version
  row[1] = isSmaller ? 1 : 0
  stored.copy(row, headBytes)
  row.writeUInt32LE(checksumOf(row), 2)
  return row
}

function open(row: Buffer): Buffer {
  const [found, isCompressed] = row
  if (row.length < headBytes || found !== version) throw new BytesDamaged('no log row of this version')
  if (row.readUInt32LE(2) !== checksumOf(row)) throw new BytesDamaged('the checksum differs')
  const stored = row.subarray(headBytes)
  return isCompressed === 1 ? zstdDecompressSync(stored, { maxOutputLength: bodyBytesMax }) : stored
}

/** The checksum of the head and the body, without the checksum between them. */
const checksumOf = (row: Buffer): number => crc32(row.subarray(headBytes), crc32(row.subarray(0, 2)))
