import type { telemetry } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import type { Gap } from '../../shared/ui/data/trend-gaps.ts'
import { pointAt } from '../../shared/ui/data/trend-series.ts'
import { layoutSeries } from './history-layout.ts'
import {
  nearestTime,
  neighbourTime,
  pointsWithin,
  type ShownTag,
  stateRuns,
  toTagSeries,
  visibleRuns,
} from './history-series.ts'
import { VariableColours } from './variable-colours.ts'

const tag = (type: telemetry.TagType, unit = '', tagId = 1): ShownTag => ({
  tagId,
  name: `tag ${tagId}`,
  type,
  unit,
  scale: null,
  min: null,
  max: null,
  version: null,
})

function told(
  points: telemetry.HistoryPoint[],
  more: Partial<telemetry.HistorySeries> = {},
): telemetry.HistorySeries {
  return {
    tagId: 1,
    machineId: 1,
    kind: 'raw',
    intervalMs: null,
    points,
    cutAt: null,
    before: null,
    after: null,
    version: null,
    ...more,
  }
}

const door = (points: telemetry.HistoryPoint[], more?: Partial<telemetry.HistorySeries>, gaps: Gap[] = []) =>
  toTagSeries(tag('bool'), told(points, more), { gaps })
const short = (runs: readonly { from: number; to: number; told: unknown }[]) =>
  runs.map(({ from, to, told: value }) => [from, to, value])

describe('a sample', () => {
  it('that is bad or stale has no value, whatever came with it; an uncertain one has', () => {
    const { points } = toTagSeries(
      tag('float64'),
      told([
        [1, 5, 5, 5],
        [2, 6, 6, 6, 'bad'],
        [3, 7, 7, 7, 'stale'],
        [4, 8, 8, 8, 'uncertain'],
      ]),
    )
    expect(points.map(({ value }) => value)).toEqual([5, null, null, 8])
    expect(points.map(({ uncertain }) => uncertain === true)).toEqual([false, false, false, true])
  })

  it('keeps an integer beyond 2^53 digit for digit', () => {
    const series = toTagSeries(tag('int64'), told([[1, '9007199254740993', 9e15, 9e15]]))
    expect(pointAt(series, 5)?.told).toBe('9007199254740993')
    expect(series.stepped).toBe(true)
  })

  it('beside the range draws its line without belonging to the range', () => {
    const series = toTagSeries(
      tag('float64'),
      told([[15, 2, 2, 2]], { before: [5, 1, 1, 1], after: [25, 3, 3, 3] }),
    )
    expect(series.points.map(({ at }) => at)).toEqual([5, 15, 25])
    expect(pointsWithin(series, { from: 10, to: 20 }).map(({ at }) => at)).toEqual([15])
  })
})

describe('the lane of a state', () => {
  it('keeps each state until the next one, and the last until the end of known data', () => {
    const series = door([
      [10, true, null, null],
      [20, true, null, null],
      [30, false, null, null],
    ])
    expect(short(stateRuns(series, 50))).toEqual([
      [10, 30, true],
      [30, 50, false],
    ])
  })

  it('begins with what held before', () => {
    const series = door([[30, false, null, null]], { before: [2, true, null, null] })
    expect(short(visibleRuns(stateRuns(series, 50), { from: 10, to: 50 }, 0))).toEqual([
      [10, 30, true],
      [30, 50, false],
    ])
  })

  it('ends where the machine went away, where samples were lost, and at a bad sample', () => {
    const gaps = [
      { from: 20, to: 40 },
      { from: 80, to: 80, lost: 1 },
    ]
    const points: telemetry.HistoryPoint[] = [
      [10, true, null, null],
      [50, true, null, null],
      [60, null, null, null, 'bad'],
      [70, true, null, null],
    ]
    expect(short(stateRuns(door(points, {}, gaps), 100))).toEqual([
      [10, 20, true],
      [50, 60, true],
      [70, 80, true],
    ])
  })

  it('marks states as mixed that change within an interval or a pixel', () => {
    const flaps = door([[0, true, 0, 1]], { kind: 'buckets', intervalMs: 10 })
    expect(stateRuns(flaps, 10)[0]).toMatchObject({ mixed: true })
    const many = door(Array.from({ length: 100 }, (_, at) => [at, at % 2 === 0, null, null]))
    const seen = visibleRuns(stateRuns(many, 100), { from: 0, to: 100 }, 10)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ from: 0, to: 100, mixed: true })
  })
})

describe('the cursor', () => {
  const series = [
    toTagSeries(tag('float64'), told([10, 30].map((at) => [at, 1, 1, 1]))),
    toTagSeries(tag('float64', '', 2), told([20, 31].map((at) => [at, 1, 1, 1]))),
  ]

  it('snaps to the nearest sample of any curve', () => {
    expect(nearestTime(series, 22, 5)).toBe(20)
    expect(nearestTime(series, 25.6, 5)).toBe(30)
    expect(nearestTime(series, 25, 1)).toBe(undefined)
  })

  it('moves from sample to sample through all curves, and stops at the ends', () => {
    const range = { from: 0, to: 100 }
    const path = [10, 20, 30, 31]
    expect(neighbourTime(series, null, 1, range)).toBe(10)
    expect(neighbourTime(series, null, -1, range)).toBe(31)
    expect(path.map((at) => neighbourTime(series, at, 1, range))).toEqual([20, 30, 31, undefined])
    expect(path.map((at) => neighbourTime(series, at, -1, range))).toEqual([undefined, 10, 20, 30])
    expect(neighbourTime(series, 30, 1, { from: 0, to: 30 })).toBe(undefined)
  })
})

describe('charts', () => {
  const shown = (units: string[]) =>
    layoutSeries(
      units.map((unit, index) => toTagSeries(tag('float64', unit, index), told([]))),
      new VariableColours().assign(
        units.map((_, index) => index),
        [],
      ),
    )

  it('are one while it has an axis for every unit, else one a unit, none with more than four curves', () => {
    expect(shown(['°C', '°C', 'kW']).panels).toHaveLength(1)
    expect(shown(['°C', 'bar', 'kW']).panels).toHaveLength(3)
    expect(shown(Array(9).fill('°C')).panels.map((panel) => panel.length)).toEqual([4, 4, 1])
  })

  it('have an earlier period beside its series, in the same colour and as a curve of its own', () => {
    const [now, other] = [tag('float64', '°C', 1), tag('bool', '', 2)]
    const series = [toTagSeries(now, told([])), toTagSeries(other, told([]))]
    const compared = [
      toTagSeries(other, told([]), { shiftMs: 10 }),
      toTagSeries(now, told([]), { shiftMs: 10 }),
    ]
    const colours = new Map([
      [1, 4],
      [2, 5],
    ])
    const { panels, lanes } = layoutSeries(series, colours, { compared })
    const seen = (shown: typeof lanes) =>
      shown.map(({ tag: { tagId }, shiftMs, colour }) => [tagId, shiftMs, colour])
    expect(panels.map(seen)).toEqual([
      [
        [1, 0, 4],
        [1, 10, 4],
      ],
    ])
    expect(seen(lanes)).toEqual([
      [2, 0, 5],
      [2, 10, 5],
    ])
    expect(new Set([...series, ...compared].map(({ key }) => key)).size).toBe(4)
  })

  it('can be one for each curve', () => {
    const series = ['°C', 'bar', '°C'].map((unit, index) =>
      toTagSeries(tag('float64', unit, index), told([])),
    )
    const { panels } = layoutSeries(series, new Map(), { isApart: true })
    expect(panels.map((panel) => panel.map(({ tag: { tagId } }) => tagId))).toEqual([[0], [1], [2]])
  })

  it('differ in colour by variable over all charts and lanes', () => {
    const tags = [
      tag('float64', '°C', 1),
      tag('float64', 'L/min', 2),
      tag('float64', 'bar', 3),
      tag('bool', '', 4),
    ]
    const colours = new VariableColours().assign(
      tags.map(({ tagId }) => tagId),
      [],
    )
    const { panels, lanes } = layoutSeries(
      tags.map((each) => toTagSeries(each, told([]))),
      colours,
    )
    expect([...panels.flat(), ...lanes].map(({ colour }) => colour)).toEqual([1, 2, 3, 4])
  })

  it('give each curve a different colour', () => {
    for (const panel of shown([...Array(8).fill('°C'), 'kW']).panels)
      expect(new Set(panel.map(({ colour }) => colour)).size).toBe(panel.length)
  })
})
