import { describe, expect, it } from 'vitest'
import {
  alignCurves,
  appendSample,
  assignScales,
  joinHistory,
  mergeGaps,
  padRange,
  pointAt,
  rangeWithLimits,
  type TrendPoint,
  trendPointsMax,
} from './trend-series.ts'

const point = (at: number, value: number | null): TrendPoint => ({ at, value, min: value, max: value })

describe('a live sample', () => {
  it('continues the curve', () => {
    expect(appendSample([point(1000, 1)], { at: 2500, value: 2 }, 1000)).toEqual([
      point(1000, 1),
      point(2500, 2),
    ])
  })

  it('joins the point of its bucket and widens its range', () => {
    const once = appendSample([point(1000, 5)], { at: 1200, value: 9 }, 1000)
    const twice = appendSample(once, { at: 1900, value: 3 }, 1000)
    expect(twice).toEqual([{ at: 1900, value: 3, min: 3, max: 9 }])
  })

  it('that is not newer is ignored', () => {
    const points = [point(1000, 5)]
    expect(appendSample(points, { at: 1000, value: 9 }, 10)).toBe(points)
  })

  it('without value breaks the line, even within a bucket', () => {
    const points = appendSample([point(1000, 5)], { at: 1100, value: null }, 1000)
    expect(points).toEqual([point(1000, 5), point(1100, null)])
    expect(appendSample(points, { at: 1200, value: 6 }, 1000)).toHaveLength(3)
  })

  it('pushes out the oldest when there are too many', () => {
    const points = Array.from({ length: trendPointsMax }, (_, at) => point(at, at))
    const next = appendSample(points, { at: trendPointsMax, value: 1 }, 1)
    expect(next).toHaveLength(trendPointsMax)
    expect(next[0]?.at).toBe(1)
  })
})

describe('history and live values', () => {
  it('meet without repeating a time', () => {
    const joined = joinHistory([point(1, 1), point(2, 2)], [point(1, 9), point(2, 9), point(3, 3)])
    expect(joined).toEqual([point(1, 1), point(2, 2), point(3, 3)])
  })

  it('stand alone if the other is empty', () => {
    expect(joinHistory([], [point(1, 1)])).toHaveLength(1)
    expect(joinHistory([point(1, 1)], [])).toHaveLength(1)
  })
})

describe('curves over one another', () => {
  const gaps = [{ from: 200, to: 800 }]

  it('keep undefined where only the other curve has a point', () => {
    const [at, a, , , b] = alignCurves([
      { points: [point(1, 10), point(3, 30)], stepped: false, intervalMs: 0, gaps: [] },
      { points: [point(2, 5)], stepped: false, intervalMs: 0, gaps: [] },
    ])
    expect(at).toEqual([1, 2, 3])
    expect(a).toEqual([10, undefined, 30])
    expect(b).toEqual([undefined, 5, undefined])
  })

  it('break at a gap', () => {
    const [at, value] = alignCurves([
      { points: [point(100, 1), point(900, 2)], stepped: false, intervalMs: 0, gaps },
    ])
    expect(at).toEqual([100, 500, 900])
    expect(value).toEqual([1, null, 2])
  })

  it('break at the end of a gap where a sample lies inside it, since clocks differ', () => {
    const points = [0, 10, 20, 30, 900].map((at) => point(at, at))
    const [at, value] = alignCurves([
      { points, stepped: false, intervalMs: 0, gaps: [{ from: 25, to: 800 }] },
    ])
    expect(at).toEqual([0, 10, 20, 30, 465, 900])
    expect(value).toEqual([0, 10, 20, 30, null, 900])
  })

  it('hold a step up to the gap, and no further', () => {
    const [at, value] = alignCurves([
      { points: [point(100, 1), point(900, 0)], stepped: true, intervalMs: 0, gaps },
    ])
    expect(at).toEqual([100, 200, 550, 900])
    expect(value).toEqual([1, 1, null, 0])
  })

  it('break from value to value, across the times of other curves', () => {
    const [at, value] = alignCurves([
      { points: [point(100, 1), point(900, 2)], stepped: false, intervalMs: 0, gaps },
      { points: [point(150, 5), point(500, 6), point(850, 7)], stepped: false, intervalMs: 0, gaps },
    ])
    expect(at).toEqual([100, 150, 500, 850, 900])
    expect(value).toEqual([1, null, null, null, 2])
  })

  it('carry least and greatest along', () => {
    const columns = alignCurves([
      { points: [{ at: 1, value: 5, min: 2, max: 8 }], stepped: false, intervalMs: 0, gaps: [] },
    ])
    expect(columns).toEqual([[1], [5], [2], [8]])
  })
})

describe('gaps', () => {
  it('become one where they touch, and end at the range', () => {
    const range = { from: 0, to: 100 }
    const gaps = [
      { from: 50, to: 500 },
      { from: -10, to: 10 },
      { from: 10, to: 20 },
      { from: 200, to: 300 },
    ]
    expect(mergeGaps(gaps, range)).toEqual([
      { from: 0, to: 20 },
      { from: 50, to: 100 },
    ])
  })
})

describe('axes', () => {
  it('are shared by curves of one unit', () => {
    expect(assignScales(['°C', 'kW', '°C', 'bar'])).toEqual({
      scaleOf: [0, 1, 0, 2],
      units: ['°C', 'kW', 'bar'],
    })
  })

  it('do not blow up a resting value', () => {
    const [low, high] = padRange(100, 100.01)
    expect(high - low).toBeGreaterThan(2)
  })

  it('do not go below zero for what never is', () => {
    expect(padRange(0, 10)[0]).toBe(0)
    expect(padRange(-1, 10)[0]).toBeLessThan(-1)
  })

  it('make room for a limit that is near, and stay as they are for one that is far', () => {
    expect(rangeWithLimits(60, 66, [68])[1]).toBeGreaterThan(68)
    expect(rangeWithLimits(60, 66, [68])[0]).toBeGreaterThan(58)
    expect(rangeWithLimits(60, 66, [0, 300])).toEqual(padRange(60, 66))
    expect(rangeWithLimits(null, null, [10])).toEqual([0, 1])
  })

  it('have a range even without values or with only zeros', () => {
    expect(padRange(null, null)).toEqual([0, 1])
    const [low, high] = padRange(0, 0)
    expect(low).toBe(0)
    expect(high).toBeGreaterThan(0)
  })
})

describe('the value under the pointer', () => {
  const points = [point(10, 1), point(20, null), point(30, 3), point(80, 4), point(90, 5)]
  const gaps = [
    { from: 40, to: 70 },
    { from: 95, to: 200 },
  ]
  const curve = { points, stepped: false, intervalMs: 0, gaps }

  it.each([
    [5, null],
    [10, 1],
    [19, 1],
    [25, null],
    [30, 3],
    // Nothing is known inside a gap, nor on the line into it.
    [35, null],
    [60, null],
    [85, 4],
    [94, 5],
    [150, null],
  ])('at %i is %s', (at, expected) => expect(pointAt(curve, at)?.value ?? null).toBe(expected))

  it('of one of several machines uses only the gaps of its own machine', () => {
    expect(pointAt({ ...curve, gaps: [] }, 60)?.value).toBe(3)
    const [, own, , , other] = alignCurves([curve, { ...curve, gaps: [] }])
    expect(own?.filter((value) => value === null).length).toBeGreaterThan(
      other?.filter((value) => value === null).length ?? 0,
    )
  })

  it('of a state lasts until the gap begins', () => {
    expect(pointAt({ ...curve, stepped: true }, 35)?.value).toBe(3)
    expect(pointAt({ ...curve, stepped: true }, 45)).toBe(undefined)
  })
})
