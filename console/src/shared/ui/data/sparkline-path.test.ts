import { describe, expect, it } from 'vitest'
import { sparklineShape } from './sparkline-path.ts'

const box = { width: 100, height: 20, padding: 0 }

/** The y of every point of a path. */
function heights(path: string): number[] {
  return [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map((match) => Number(match[2]))
}

describe('a sparkline', () => {
  it('runs from edge to edge with its highest value on top', () => {
    const { path, last } = sparklineShape([0, 10, 5], box)
    expect(path).toBe('M0 20L50 0L100 10')
    expect(last).toEqual({ x: 100, y: 10 })
  })

  it('keeps noise flat: the range is at least 14 % of the mean', () => {
    const drawn = heights(sparklineShape([100, 101, 100, 101], box).path)
    expect(Math.max(...drawn) - Math.min(...drawn)).toBeCloseTo(20 / 14, 1)
  })

  it('keeps the same floor for negative values', () => {
    const drawn = heights(sparklineShape([-28, -27.8, -28.1], box).path)
    expect(Math.max(...drawn) - Math.min(...drawn)).toBeLessThan(3)
  })

  it('draws zeros as a line through the middle, not as a division by zero', () => {
    expect(heights(sparklineShape([0, 0, 0], box).path)).toEqual([10, 10, 10])
  })

  it('breaks the line at a gap and does not bridge it', () => {
    const { path } = sparklineShape([1, 2, null, 2, 1], box)
    expect(path.match(/M/g)).toHaveLength(2)
  })

  it('shows a value alone between two gaps as a dot', () => {
    const { path, lonely } = sparklineShape([1, 2, null, 2, null, 1, 1], box)
    expect(lonely).toHaveLength(1)
    expect(lonely[0]?.x).toBe(50)
    expect(path).not.toContain('50 ')
  })

  it('marks the last value that is known, before a gap that lasts', () => {
    expect(sparklineShape([1, 2, null, null], box).last?.x).toBeCloseTo(33.3)
  })

  it('draws nothing of nothing', () => {
    expect(sparklineShape([null, null, Number.NaN], box)).toEqual({ path: '', last: null, lonely: [] })
  })
})
