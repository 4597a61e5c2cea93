import { pointsWithin, type TagSeries } from '../../entities/history/history-series.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'

const hourMs = 3_600_000

/** How much a curve rose, and from when to when. */
export interface Rise extends TimeRange {
  readonly by: number
}

/**
 * The largest rise of a curve within an hour, of the points that the chart draws; undefined if it does not rise, or if its
 * averages are too wide to say.
 */
export function findLargestRise(series: TagSeries, range: TimeRange): Rise | undefined {
  if (series.intervalMs > hourMs / 2) return undefined
  /** Those of the last hour before a point, as far as a later one is not lower: the first is the lowest. */
  const lows: { readonly at: number; readonly value: number }[] = []
  let first = 0
  let largest: Rise | undefined
  for (const { at, value } of pointsWithin(series, range)) {
    if (value === null) continue
    while (first < lows.length && (lows[first]?.at ?? at) < at - hourMs) first++
    const lowest = lows[first]
    const by = lowest ? value - lowest.value : 0
    if (lowest && by > (largest?.by ?? 0)) largest = { from: lowest.at, to: at, by }
    while (lows.length > first && (lows.at(-1)?.value ?? value) >= value) lows.pop()
    lows.push({ at, value })
  }
  return largest
}
