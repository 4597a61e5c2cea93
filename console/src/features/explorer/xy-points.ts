import type { TagSeries } from '../../entities/history/history-series.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { pointAt } from '../../shared/ui/data/trend-series.ts'

export interface XyPoint {
  readonly at: number
  readonly x: number
  readonly y: number
}

/** So many are drawn: more would hide each other. */
export const xyPointsMax = 2_000

/**
 * Both values at each time at which one of the variables has a point: the other's is the one that held there. Averages
 * meet at the begin of their intervals.
 */
export function xyPoints(x: TagSeries, y: TagSeries, range: TimeRange): XyPoint[] {
  const times = new Set<number>()
  for (const { points } of [x, y])
    for (const { at, value } of points) if (value !== null && at >= range.from && at < range.to) times.add(at)
  const sorted = [...times].sort((a, b) => a - b)
  const step = Math.ceil(sorted.length / xyPointsMax)
  const found: XyPoint[] = []
  for (let place = 0; place < sorted.length; place += Math.max(step, 1)) {
    const at = sorted[place] as number
    const [left, right] = [valueAt(x, at), valueAt(y, at)]
    if (left !== undefined && right !== undefined) found.push({ at, x: left, y: right })
  }
  return found
}

function valueAt(series: TagSeries, at: number): number | undefined {
  return pointAt(series, at)?.value ?? undefined
}
