import { expect, test } from 'vitest'
import type { Sample } from '../tag.ts'
import { buildSample } from '../testing/builders.ts'
import { decodeSamples, encodeSamples } from './sample-codec.ts'

const at = 1_760_000_000_000
const samples: Sample[] = [
  buildSample({ value: null, quality: 0, at }),
  buildSample({ tag: 4_999, value: true, at: at + 1, alarmMoved: true }),
  buildSample({ value: false, quality: 500, at: at - 3_600_000 }),
  buildSample({ value: 7, quality: 64, isOwnTime: true }),
  buildSample({ value: 0 }),
  buildSample({ value: -0 }),
  buildSample({ value: -1, at: 5 }),
  buildSample({ value: 2 ** 47 }),
  buildSample({ value: 2 ** 52 + 1 }),
  buildSample({ value: -1.7976931348623157e308 }),
  buildSample({ value: Math.fround(21.1) }),
  buildSample({ value: 21.1 }),
  buildSample({ value: Math.PI }),
  buildSample({ value: -(2n ** 63n) }),
  buildSample({ value: 2n ** 64n - 1n }),
  buildSample({ value: '' }),
  buildSample({ value: '温度 \u0000 ﷽ 🏭' }),
  buildSample({ value: 3, written: { visit: '12', from: null, to: 3, error: '' } }),
  buildSample({
    value: false,
    written: { visit: null, from: 7n, to: true, error: 'busy (Modbus exception 6)' },
  }),
]

test('every kind of value, quality, alarm and write comes back as it was', () => {
  for (const isFixed of [true, false]) {
    const stored = { first: 123_456, samples, isFixed }
    expect(decodeSamples(encodeSamples(stored))).toStrictEqual(stored)
  }
})

test('a thousand samples come back as they were, wherever the buffer has to grow', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => samples[index % samples.length] as Sample)
  expect(decodeSamples(encodeSamples({ first: 0, samples: many, isFixed: false })).samples).toStrictEqual(
    many,
  )
})

test('a reading once a second takes about seven bytes', () => {
  const poll = Array.from({ length: 200 }, (_, tag) => buildSample({ tag, at, value: tag * 0.5 }))
  expect(encodeSamples({ first: 0, samples: poll, isFixed: false }).length / 200).toBeLessThan(8)
})

test('bytes that end too early are refused, wherever they end', () => {
  const bytes = encodeSamples({ first: 0, samples, isFixed: false })
  for (let end = 0; end < bytes.length; end++) {
    expect(() => decodeSamples(bytes.subarray(0, end))).toThrow(RangeError)
  }
})
