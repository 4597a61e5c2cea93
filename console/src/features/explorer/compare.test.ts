import { expect, it } from 'vitest'
import type { TagSeries } from '../../entities/history/history-series.ts'
import { apart, shiftSeries, withCompared } from './compare.ts'

const series = (tagId: number): TagSeries => ({
  tag: { tagId, name: `t${tagId}`, type: 'float64', unit: '', scale: null, min: 0, max: 9, version: null },
  kind: 'raw',
  intervalMs: 0,
  stepped: false,
  points: [{ at: 100, told: 5, quality: 'good', value: 5, min: 5, max: 5 }],
  cutAt: 150,
  gaps: [{ from: 110, to: 120 }],
})

it('moves an earlier period with its gaps and its end to the time that is shown', () => {
  const moved = shiftSeries(series(7), 1_000)
  expect(moved.tag.tagId).toBe(-7)
  expect(moved.points.map(({ at }) => at)).toEqual([1_100])
  expect(moved.gaps).toEqual([{ from: 1_110, to: 1_120 }])
  expect(moved.cutAt).toBe(1_150)
})

it('follows the series it is compared with, in a paler shade of its colour', () => {
  const layout = {
    panels: [[{ ...series(1), colour: 4 }], [{ ...series(2), colour: 5 }]],
    lanes: [{ ...series(3), colour: 6 }],
  }
  const both = withCompared(layout, [shiftSeries(series(2), 10), shiftSeries(series(3), 10)], '(before)')
  const told = (one: (typeof both.lanes)[number]) => [one.tag.tagId, one.tag.name, one.colour, one.faint]
  expect(both.panels.map((panel) => panel.map(told))).toEqual([
    [[1, 't1', 4, undefined]],
    [
      [2, 't2', 5, undefined],
      [-2, 't2 (before)', 5, true],
    ],
  ])
  expect(both.lanes.map(told)).toEqual([
    [3, 't3', 6, undefined],
    [-3, 't3 (before)', 6, true],
  ])
})

it('gives each curve a separate chart', () => {
  const layout = {
    panels: [
      [
        { ...series(1), colour: 1 },
        { ...series(2), colour: 2 },
      ],
    ],
    lanes: [],
  }
  expect(apart(layout).panels.map((panel) => panel.map(({ tag }) => tag.tagId))).toEqual([[1], [2]])
})
