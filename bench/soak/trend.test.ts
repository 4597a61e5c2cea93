import { expect, it } from 'vitest'
import { isFlat, measureTrend } from './trend.ts'

const noise = [3, -2, 0, 4, -4, 1, -1, 2, -3, 0]
const run = (of: (s: number) => number) =>
  Array.from({ length: 90 }, (_, place) => ({
    s: place * 10,
    value: of(place * 10) + (noise[place % 10] ?? 0),
  }))

it('noise and a start that grows are flat', () => {
  expect(isFlat(measureTrend(run((s) => 100 + Math.min(s, 200) / 10)))).toBe(true)
})

it('a leak of half as much again in an hour is not taken for noise', () => {
  expect(isFlat(measureTrend(run((s) => 100 + (50 * s) / 3_600)))).toBe(false)
})
