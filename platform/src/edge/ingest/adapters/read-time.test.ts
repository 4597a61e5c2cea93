import { expect, test } from 'vitest'
import { localClock } from './local-time.ts'
import { readTime } from './read-time.ts'

const at = (text: string) => Date.parse(text)
const read = (zone: string, value: unknown, near: string) => readTime(value, localClock(zone), at(near))

test('a number is seconds, milliseconds, microseconds or nanoseconds by its size, also as a text', () => {
  const near = '2026-11-28T02:29:02Z'
  for (const [time, expected] of [
    [1795832942, near],
    [1795832942.25, '2026-11-28T02:29:02.250Z'],
    ['1795832942', near],
    ['1795832942.25', '2026-11-28T02:29:02.250Z'],
    [1795832942000, near],
    ['1795832942000', near],
    [1795832942000.9, near],
    [1795832942000999, near],
    ['1795832942000999', near],
    ['1795832942000000999', near],
    [1795832942000000000, near],
    [946684800, '2000-01-01T00:00:00Z'],
    [0, '1970-01-01T00:00:00Z'],
  ] as const) {
    expect(read('Asia/Shanghai', time, near), String(time)).toBe(at(expected))
  }
})

test('an ISO time with its offset is the same in every zone', () => {
  const near = '2026-11-28T02:00:00Z'
  for (const text of [
    '2026-11-28T02:00:00Z',
    '2026-11-28T02:00:00.000z',
    '2026-11-28T10:00:00+08:00',
    '2026-11-28T10:00:00+0800',
    '2026-11-28 10:00:00 +08',
    '2026-11-27T21:30:00-04:30',
    '2026-11-28T02:00:00.000999999Z',
  ]) {
    expect(read('America/New_York', text, near), text).toBe(at(near))
  }
})

test('a wall clock with and without decimals, in the zone it hangs in', () => {
  const near = '2026-11-20T00:00:00Z'
  expect(read('Asia/Shanghai', '2026-11-20 08:00:01', near)).toBe(at('2026-11-20T00:00:01Z'))
  expect(read('Asia/Shanghai', '2026-11-20 08:00:01.5', near)).toBe(at('2026-11-20T00:00:01.500Z'))
  expect(read('Asia/Shanghai', '2026/11/20T08:00:01.502856', near)).toBe(at('2026-11-20T00:00:01.502Z'))
  expect(read('Asia/Kathmandu', '2026-11-20 05:45:00', near)).toBe(at(near))
  expect(read('America/New_York', '2026-07-01 12:00:00', near)).toBe(at('2026-07-01T16:00:00Z'))
})

test('an impossible clock reading is not a time', () => {
  for (const text of [
    '2026-02-30 00:00:00',
    '2026-13-01 00:00:00',
    '2026-01-01 24:00:00',
    '2026-01-01 00:60:00',
    '2026-01-01 00:00:60',
    '2026-1-1 00:00:00',
    '2026-01-01 00:00',
    '2026-01-01 00:00:00+24:00',
    '2026-01-01 00:00:00+08:60',
    '12:00',
    '1e12',
    '0x10',
    '-5',
    '2026-01/01 00:00:00',
    '2026-01-01 00:00:00.',
    '',
    'now',
  ]) {
    expect(read('Asia/Shanghai', text, '2026-01-01T00:00:00Z'), text).toBeNaN()
  }
  for (const value of [null, true, {}, [1795832942], Number.NaN, undefined])
    expect(read('Asia/Shanghai', value, '2026-01-01T00:00:00Z')).toBeNaN()
})

test('an hour that comes twice is the one closer to the arrival', () => {
  const wall = '2026-11-01 01:30:00'
  expect(read('America/New_York', wall, '2026-11-01T05:30:02Z')).toBe(at('2026-11-01T05:30:00Z'))
  expect(read('America/New_York', wall, '2026-11-01T06:30:02Z')).toBe(at('2026-11-01T06:30:00Z'))
  expect(read('America/New_York', '2026-11-01 02:30:00', '2026-11-01T07:30:00Z')).toBe(
    at('2026-11-01T07:30:00Z'),
  )
})

test('an hour that never was, as a clock shows that did not jump, is read by the arrival too', () => {
  const wall = '2026-03-08 02:30:00'
  expect(read('America/New_York', wall, '2026-03-08T07:30:01Z')).toBe(at('2026-03-08T07:30:00Z'))
  expect(read('America/New_York', '2026-03-08 01:59:59', '2026-03-08T06:59:59Z')).toBe(
    at('2026-03-08T06:59:59Z'),
  )
  expect(read('America/New_York', '2026-03-08 03:00:00', '2026-03-08T07:00:00Z')).toBe(
    at('2026-03-08T07:00:00Z'),
  )
})

test('an unknown zone becomes the default one', () => {
  expect(read('Mars/Olympus', '2026-11-20 08:00:00', '2026-11-20T00:00:00Z')).toBe(at('2026-11-20T00:00:00Z'))
})
