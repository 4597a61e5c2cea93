import { expect, test } from 'vitest'
import { BytesDamaged } from './byte-reader.ts'
import { type ChunkSamples, type ChunkValues, decodeChunk, encodeChunk } from './chunk.ts'
import { mergeSamples } from './merge-samples.ts'
import { NumberRoom } from './number-room.ts'

const startedAt = Date.UTC(2026, 0, 1)

/** A small generator of numbers that repeat with their seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

function samplesOf(column: ChunkValues, stepMs = 1_000): ChunkSamples {
  const count = column.values.length
  return {
    times: Float64Array.from({ length: count }, (_, place) => startedAt + place * stepMs),
    qualities: new Uint16Array(count).fill(192),
    lates: new Uint16Array(count),
    filled: new Uint16Array(count).fill(1),
    column,
    stamps: new Map(),
  }
}

/** Plain arrays, so that read and written samples can be compared. */
const plain = ({ times, qualities, lates, filled, column, stamps }: ChunkSamples) => ({
  times: Array.from(times),
  qualities: Array.from(qualities),
  lates: Array.from(lates),
  filled: Array.from(filled),
  type: column.type,
  values: Array.from(column.values as ArrayLike<unknown>),
  stamps: [...stamps],
})

function readBack(samples: ChunkSamples): Buffer {
  const chunk = encodeChunk(samples)
  expect(plain(decodeChunk(chunk))).toEqual(plain(samples))
  // A room still has the values of the chunk before.
  const room = new NumberRoom()
  room.take(8 * 1024).fill(Number.NaN)
  room.clear()
  expect(plain(decodeChunk(chunk, room))).toEqual(plain(samples))
  return chunk
}

const numbers: Record<string, number[]> = {
  none: [],
  'one number': [23.5],
  'decimals of one digit': [20, 20.1, 20.2, 19.9, -0.1, 1_000_000.5],
  'decimals of nine digits': [0.123456789, 12.3, 0.000000001],
  'single precision': [23.1, 0.1, 1e9, -7.3].map(Math.fround),
  'single precision without digits': [Math.PI, Math.E, 1e-30].map(Math.fround),
  'double precision': [Math.PI, Math.E, 1e-300, 1e300, Number.MIN_VALUE, Number.MAX_VALUE],
  'minus zero': [0, -0, 1],
  'minus zeros among decimals': [-0, 0.5, -0, -0.25, 0, -0],
  'minus zeros of single precision': [-0, 0.1, -0].map(Math.fround),
  'large whole numbers': [2 ** 53, -(2 ** 53), 2 ** 51, 1],
  'a digit that a large number has no room for': [0.123456789, 2 ** 50],
}

for (const [name, values] of Object.entries(numbers))
  test(`${name} are read as they were written`, () => {
    readBack(samplesOf({ type: 'float64', values }))
  })

test('whole numbers of 64 bits are read as they were written', () => {
  const ends = [2n ** 63n - 1n, -(2n ** 63n), 0n, 2n ** 53n + 1n, -1n]
  readBack(samplesOf({ type: 'int64', values: ends }))
  readBack(samplesOf({ type: 'int64', values: [5n, 7n, -3n, 2n ** 51n] }))
})

test('switches and texts are read as they were written', () => {
  readBack(samplesOf({ type: 'bool', values: [0, 1, 1, 0] }))
  readBack(samplesOf({ type: 'string', values: ['运行', 'stopped', '', '运行', 'a\0b', '😀'] }))
})

test('random samples are read as they were written: missing values, any order of times, stamps', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = seeded(seed)
    const count = Math.floor(next() * 200)
    const filled = Array.from({ length: count }, () => (next() < 0.9 ? 1 : 0))
    const values = filled.filter((one) => one === 1).length
    const digits = 10 ** Math.floor(next() * 12)
    const columns: ChunkValues[] = [
      {
        type: 'float64',
        values: Array.from({ length: values }, () => Math.round((next() - 0.5) * 1e6) / digits),
      },
      {
        type: 'int64',
        values: Array.from(
          { length: values },
          () => BigInt(Math.round((next() - 0.5) * 1e9)) ** 2n % 2n ** 63n,
        ),
      },
      { type: 'string', values: Array.from({ length: values }, () => String(Math.floor(next() * 4))) },
    ]
    const stamps = new Map<number, number>()
    for (let place = 0; place < count; place++) if (next() < 0.1) stamps.set(place, Math.floor(next() * 4e12))
    for (const column of columns)
      readBack({
        times: Array.from({ length: count }, () => startedAt + Math.floor((next() - 0.5) * 1e10)),
        qualities: Array.from({ length: count }, () => [0, 64, 192, 500][Math.floor(next() * 4)] as number),
        lates: Array.from({ length: count }, () => (next() < 0.2 ? 1 : 0)),
        filled,
        column,
        stamps,
      })
  }
})

test('a byte that changed is found, whichever it is', () => {
  const chunk = encodeChunk(samplesOf({ type: 'float64', values: [1.5, 2.5, 3.5, 2.5, 1.5] }))
  for (let place = 0; place < chunk.length; place++)
    for (const bit of [1, 0x80]) {
      const damaged = Buffer.from(chunk)
      damaged[place] = (damaged[place] as number) ^ bit
      expect(() => decodeChunk(damaged), `byte ${place}`).toThrow(BytesDamaged)
    }
  for (let length = 0; length < chunk.length; length++)
    expect(() => decodeChunk(chunk.subarray(0, length)), `${length} bytes`).toThrow(BytesDamaged)
})

test('an hour of usual values at one a second takes less than three bytes a sample', () => {
  const next = seeded(7)
  let walk = 40
  const slow = Array.from({ length: 3_600 }, () => {
    walk += (next() - 0.5) * 0.2
    return Math.round(walk * 100) / 100
  })
  const mix: ChunkValues[] = [
    { type: 'float64', values: slow },
    { type: 'float64', values: slow.map(Math.fround) },
    { type: 'float64', values: slow.map(() => Math.round(next() * 10_000) / 10) },
    // A value around zero, rounded, is minus zero now and then.
    { type: 'float64', values: slow.map(() => Math.round((next() - 0.5) * 200) / 100) },
    { type: 'int64', values: slow.map((_, place) => BigInt(place * 3)) },
    { type: 'bool', values: slow.map((_, place) => (place % 400 < 200 ? 1 : 0)) },
    { type: 'string', values: slow.map((_, place) => (place % 900 < 600 ? 'running' : 'waiting')) },
  ]
  for (const column of mix) expect(readBack(samplesOf(column)).length / 3_600).toBeLessThan(3)
})

test('a chunk knows whether its times rise: of two samples of one time the first is read', () => {
  const rising = samplesOf({ type: 'float64', values: [1, 2, 3] })
  expect(decodeChunk(encodeChunk(rising)).isRising).toBe(true)
  const times = [startedAt, startedAt + 5, startedAt + 5]
  const twice = decodeChunk(encodeChunk({ ...rising, times }))
  expect(twice.isRising).toBe(false)
  expect(plain(mergeSamples([twice])).values).toEqual([1, 2])
})
