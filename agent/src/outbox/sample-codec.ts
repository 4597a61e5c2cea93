import { decimalOfFloat32, Quality } from '@busbar/link'
import type { Sample, TagAlarm, TagValue, Written } from '../tag.ts'
import { ByteReader, ByteWriter } from './bytes.ts'

/** A tag as the file knows it: the configuration may have other tags, or others in its place, when it is read. */
export interface StoredTag {
  /** The name of its metric. */
  name: string
  /** Sparkplug's. */
  datatype: number
  alarm?: TagAlarm
}

/** Samples that were written as one. */
export interface StoredSamples {
  /** The number of the first among all of its segment. */
  first: number
  samples: Sample[]
  /** They have been sent: their times stay what they are, so that a repeat is a repeat. */
  isFixed: boolean
}

const qualities = [Quality.good, Quality.bad, Quality.stale, Quality.uncertain] as const
const fixedFlag = 1
// Of a sample: three bits for the value's kind, two for the quality.
const alarmMovedFlag = 0x20
const writtenFlag = 0x40
const ownTimeFlag = 0x80
/** Beyond it a whole number is shorter as a float64, and its zigzag form may not be exact. */
const integerMost = 2 ** 48

const valueKind = {
  none: 0,
  false: 1,
  true: 2,
  integer: 3,
  float32: 4,
  float64: 5,
  bigint: 6,
  text: 7,
} as const

export function encodeSamples({ first, samples, isFixed }: StoredSamples): Buffer {
  const writer = new ByteWriter()
  const firstAt = samples[0]?.at ?? 0
  writer.varint(first)
  writer.varint(samples.length)
  writer.byte(isFixed ? fixedFlag : 0)
  writer.float64(firstAt)
  let before = firstAt
  for (const sample of samples) {
    const kind = kindOf(sample.value)
    const flags =
      (sample.alarmMoved ? alarmMovedFlag : 0) |
      (sample.written ? writtenFlag : 0) |
      (sample.isOwnTime ? ownTimeFlag : 0)
    writer.varint(sample.tag)
    writer.byte(kind | (qualities.indexOf(sample.quality) << 3) | flags)
    writer.zigzag(sample.at - before)
    before = sample.at
    writeValue(writer, kind, sample.value)
    if (sample.written) writeWritten(writer, sample.written)
  }
  return writer.bytes()
}

/** Throws `RangeError` for bytes that were not written by `encodeSamples`. */
export function decodeSamples(payload: Buffer): StoredSamples {
  const reader = new ByteReader(payload)
  const first = reader.varint()
  const count = reader.varint()
  const isFixed = (reader.byte() & fixedFlag) !== 0
  let at = reader.float64()
  const samples: Sample[] = []
  for (let index = 0; index < count; index++) {
    const tag = reader.varint()
    const bits = reader.byte()
    at += reader.zigzag()
    const quality = qualities[(bits >> 3) & 3] ?? Quality.bad
    const sample: Sample = { tag, at, value: readValue(reader, bits & 7), quality }
    if (bits & ownTimeFlag) sample.isOwnTime = true
    if (bits & alarmMovedFlag) sample.alarmMoved = true
    if (bits & writtenFlag) sample.written = readWritten(reader)
    samples.push(sample)
  }
  return { first, samples, isFixed }
}

/** Tags with their numbers in the file. */
export function encodeTags(tags: readonly (readonly [number, StoredTag])[]): Buffer {
  return Buffer.from(JSON.stringify(tags))
}

export function decodeTags(payload: Buffer): [number, StoredTag][] {
  return JSON.parse(payload.toString('utf8')) as [number, StoredTag][]
}

function kindOf(value: TagValue | null): number {
  switch (typeof value) {
    case 'boolean':
      return value ? valueKind.true : valueKind.false
    case 'bigint':
      return valueKind.bigint
    case 'string':
      return valueKind.text
    case 'number':
      if (Number.isInteger(value) && Math.abs(value) < integerMost && !Object.is(value, -0)) {
        return valueKind.integer
      }
      return decimalOfFloat32(Math.fround(value)) === value && !Object.is(value, -0)
        ? valueKind.float32
        : valueKind.float64
    default:
      return valueKind.none
  }
}

function writeValue(writer: ByteWriter, kind: number, value: TagValue | null): void {
  if (typeof value === 'string') writer.text(value)
  else if (typeof value === 'bigint') writer.bigint(value)
  else if (typeof value !== 'number') return
  else if (kind === valueKind.integer) writer.zigzag(value)
  else if (kind === valueKind.float32) writer.float32(value)
  else writer.float64(value)
}

function readValue(reader: ByteReader, kind: number): TagValue | null {
  switch (kind) {
    case valueKind.false:
    case valueKind.true:
      return kind === valueKind.true
    case valueKind.integer:
      return reader.zigzag()
    case valueKind.float32:
      return decimalOfFloat32(reader.float32())
    case valueKind.float64:
      return reader.float64()
    case valueKind.bigint:
      return reader.bigint()
    case valueKind.text:
      return reader.text()
    default:
      return null
  }
}

function writeWritten(writer: ByteWriter, { visit, from, to, error }: Written): void {
  for (const value of [visit, from, to, error]) {
    const kind = kindOf(value)
    writer.byte(kind)
    writeValue(writer, kind, value)
  }
}

function readWritten(reader: ByteReader): Written {
  const [visit, from, to, error] = Array.from({ length: 4 }, () => readValue(reader, reader.byte()))
  if (to === null || to === undefined) throw new RangeError('a write of nothing')
  return {
    visit: typeof visit === 'string' ? visit : null,
    from: from ?? null,
    to,
    error: typeof error === 'string' ? error : '',
  }
}
