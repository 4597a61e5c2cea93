import { expect, test } from 'vitest'
import type { TagType } from '../tag-type.ts'
import { BytesDamaged } from './byte-reader.ts'
import { decodeLogRow, LogRowEncoder, type SampleSink, type SampleValue } from './log-row.ts'

const startedAt = Date.UTC(2026, 0, 1)

interface Sample {
  readonly tagId: number
  readonly type: TagType
  readonly at: number
  readonly receivedAt: number
  readonly quality: number
  readonly late: boolean
  readonly value: SampleValue
  readonly stamp: number
}

const sample = (value: SampleValue, type: TagType, more: Partial<Sample> = {}): Sample => {
  const at = more.at ?? startedAt
  return { tagId: 7, type, at, receivedAt: at + 5, quality: 192, late: false, value, stamp: at, ...more }
}

function encode(samples: readonly Sample[], encoder = new LogRowEncoder()): Buffer {
  encoder.reset()
  for (const one of samples)
    encoder.add(one.tagId, one.type, one.at, one.receivedAt, one.quality, one.late, one.value, one.stamp)
  return encoder.finish()
}

function decode(row: Buffer): Sample[] {
  const samples: Sample[] = []
  const sink: SampleSink = {
    add: (tagId, type, at, receivedAt, quality, late, value, stamp) =>
      samples.push({ tagId, type, at, receivedAt, quality, late, value, stamp }),
  }
  expect(decodeLogRow(row, sink)).toBe(samples.length)
  return samples
}

const some: readonly Sample[] = [
  sample(21.5, 'float64'),
  sample(-0, 'float64', { tagId: 8 }),
  sample(Number.MIN_VALUE, 'float64', { tagId: 2 ** 40 }),
  sample(null, 'float64', { quality: 0, late: true }),
  sample(2n ** 63n - 1n, 'int64', { at: startedAt - 86_400_000 }),
  sample(-(2n ** 63n), 'int64', { tagId: 1, receivedAt: startedAt + 90_000 }),
  sample(null, 'int64', { quality: 500 }),
  sample(true, 'bool', { quality: 64 }),
  sample(false, 'bool', { stamp: startedAt - 1_000 }),
  sample('甜点 🍰', 'string', { stamp: startedAt + 60_000 }),
  sample('', 'string'),
  sample(null, 'string', { at: 0, receivedAt: startedAt, stamp: 0 }),
]

test('samples of every type are read as they were written, in their order', () => {
  expect(decode(encode(some))).toEqual(some)
  expect(decode(encode([]))).toEqual([])
})

test('an encoder that was used is used again, also after a large commit', () => {
  const encoder = new LogRowEncoder()
  const many = Array.from({ length: 100_000 }, (_, place) =>
    sample(Math.fround(place / 7), 'float64', { tagId: place % 3_000, at: startedAt + place }),
  )
  expect(decode(encode(many, encoder))).toEqual(many)
  expect(decode(encode(some, encoder))).toEqual(some)
})

test('a stamp that no calendar has is not kept', () => {
  const [kept] = decode(encode([sample(1, 'float64', { stamp: 1e18 })]))
  expect(kept?.stamp).toBe(startedAt)
})

test('every flipped byte and every cut is found', () => {
  const row = encode(some)
  for (let place = 0; place < row.length; place++) {
    const damaged = Buffer.from(row)
    damaged[place] = (damaged[place] as number) ^ 0x41
    expect(() => decode(damaged)).toThrow(BytesDamaged)
    expect(() => decode(row.subarray(0, place))).toThrow(BytesDamaged)
  }
})

test('a commit of 5,000 numbers takes less than 8 bytes a sample', () => {
  const samples = Array.from({ length: 5_000 }, (_, place) =>
    sample(Math.round(200 + 10 * Math.sin(place / 50)) / 10, 'float64', {
      tagId: 1_000 + (place % 3_000),
      at: startedAt + Math.floor(place / 3),
      receivedAt: startedAt + 12,
    }),
  )
  expect(encode(samples).length / samples.length).toBeLessThan(8)
})
