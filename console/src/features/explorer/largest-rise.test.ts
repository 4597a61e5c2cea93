import { expect, it } from 'vitest'
import type { TagSeries } from '../../entities/history/history-series.ts'
import { findLargestRise } from './largest-rise.ts'

const minuteMs = 60_000
const range = { from: 0, to: 1_000 * minuteMs }

/** A curve with a value each ten minutes. */
const curve = (values: readonly (number | null)[], intervalMs = 0) =>
  ({
    intervalMs,
    points: values.map((value, place) => ({ at: place * 10 * minuteMs, value, min: value, max: value })),
  }) as unknown as TagSeries

it('finds the largest rise within an hour, over dips and missing values, and not a slower one', () => {
  const slow = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]
  expect(findLargestRise(curve(slow), range)).toMatchObject({ by: 12 })
  expect(findLargestRise(curve([5, 9, 8, null, 16, 15, 3, 10]), range)).toEqual({
    ...{ from: 0, to: 40 * minuteMs, by: 11 },
  })
  expect(findLargestRise(curve([5, 3, 1]), range)).toBeUndefined()
})

it('counts only what is on screen, and nothing of averages that are wider than half an hour', () => {
  const values = [0, 50, 51, 53]
  expect(findLargestRise(curve(values), { from: 10 * minuteMs, to: range.to })).toMatchObject({ by: 3 })
  expect(findLargestRise(curve(values, 60 * minuteMs), range)).toBeUndefined()
})

it('is the same as by comparing each pair, for 200 curves', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return Math.round((seed / 2_147_483_647) * 40)
  }
  for (let round = 0; round < 200; round++) {
    const values = Array.from({ length: 40 }, random)
    const by = values.flatMap((value, place) =>
      values.slice(Math.max(0, place - 6), place).map((before) => value - before),
    )
    expect(findLargestRise(curve(values), range)?.by ?? 0).toBe(Math.max(0, ...by))
  }
})
