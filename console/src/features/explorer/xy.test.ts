import { expect, it } from 'vitest'
import type { TagSeries } from '../../entities/history/history-series.ts'
import { xyPoints } from './xy-points.ts'
import { niceTicks } from './xy-ticks.ts'

const series = (tagId: number, points: readonly (readonly [number, number | null])[]): TagSeries => ({
  ...{ key: String(tagId), machineId: 1, shiftMs: 0 },
  tag: { tagId, name: '', type: 'float64', unit: '', scale: null, min: null, max: null, version: null },
  kind: 'raw',
  intervalMs: 0,
  stepped: true,
  points: points.map(([at, value]) => ({
    ...{ at, value, min: value, max: value, told: value },
    quality: value === null ? 'bad' : 'good',
  })),
  cutAt: null,
  gaps: [],
})

it('pairs each value with the other variable’s value at that time', () => {
  const x = series(1, [
    [0, 1],
    [10, 2],
    [20, 3],
  ])
  const y = series(2, [
    [5, 50],
    [20, 60],
  ])
  expect(xyPoints(x, y, { from: 0, to: 30 })).toEqual([
    { at: 5, x: 1, y: 50 },
    { at: 10, x: 2, y: 50 },
    { at: 20, x: 3, y: 60 },
  ])
})

it('leaves out bad values', () => {
  const x = series(1, [
    [0, 1],
    [10, null],
  ])
  const y = series(2, [
    [0, 5],
    [10, 6],
  ])
  expect(xyPoints(x, y, { from: 0, to: 30 })).toEqual([{ at: 0, x: 1, y: 5 }])
})

it('finds round values that hold all others between them, also of one value alone', () => {
  expect(niceTicks([0.12, 0.87], 5)).toEqual({ min: 0, max: 1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] })
  const { min, max } = niceTicks([40], 4)
  expect(min).toBeLessThan(40)
  expect(max).toBeGreaterThan(40)
})
