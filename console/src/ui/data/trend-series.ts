/** A point of a curve: when, what, and the least and greatest of what it stands for. Null: nothing known then. */
export interface TrendPoint {
  readonly at: number
  readonly value: number | null
  readonly min: number | null
  readonly max: number | null
}

export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** At most this many points a curve: more than the pixels it has. */
export const trendPointsMax = 2_000

/**
 * Adds a live sample to the end of a curve. Samples of one bucket become one point with their least and greatest,
 * so that a day of live values does not outgrow the history it continues. An older sample changes nothing.
 */
export function appendSample(
  points: readonly TrendPoint[],
  sample: { readonly at: number; readonly value: number | null },
  bucketMs: number,
): readonly TrendPoint[] {
  const last = points.at(-1)
  if (last && sample.at <= last.at) return points
  const { at, value } = sample
  if (
    last &&
    last.value !== null &&
    value !== null &&
    bucketOf(last.at, bucketMs) === bucketOf(at, bucketMs)
  ) {
    const merged = {
      at,
      value,
      min: Math.min(last.min ?? last.value, value),
      max: Math.max(last.max ?? last.value, value),
    }
    return [...points.slice(0, -1), merged]
  }
  const next = points.length >= trendPointsMax ? points.slice(1 - trendPointsMax) : points
  return [...next, { at, value, min: value, max: value }]
}

function bucketOf(at: number, bucketMs: number): number {
  return Math.floor(at / bucketMs)
}

/** What was read, continued by what came live since; where both know a time, the history does. */
export function joinHistory(
  history: readonly TrendPoint[],
  live: readonly TrendPoint[],
): readonly TrendPoint[] {
  const last = history.at(-1)
  if (!last) return live
  const first = live.findIndex((point) => point.at > last.at)
  return first < 0 ? history : [...history, ...live.slice(first)]
}

/** One curve of a chart. */
export interface TrendCurve {
  readonly points: readonly TrendPoint[]
  /** A value holds until the next one: bools, counters, words by number. */
  readonly stepped: boolean
}

/** A cell of aligned data: undefined is no point of this curve at this time, null breaks its line. */
type Cell = number | null | undefined

/** Aligned columns as uPlot wants them: times, then value, min and max of each curve. */
export type TrendColumns = [at: number[], ...columns: Cell[][]]

/**
 * Lays curves with times of their own over one another. A gap breaks every line that crosses it: charts draw gaps
 * as gaps (decision 44).
 */
export function alignCurves(curves: readonly TrendCurve[], gaps: readonly TimeRange[]): TrendColumns {
  const times = new Set<number>()
  for (const { points } of curves) for (const point of points) times.add(point.at)
  const breaks = gaps.flatMap((gap) => breakTimes(gap, times))
  for (const at of breaks) times.add(at)
  const at = [...times].sort((a, b) => a - b)
  const place = new Map(at.map((time, index) => [time, index]))

  const columns: Cell[][] = []
  for (const { points } of curves) {
    const value: Cell[] = Array(at.length).fill(undefined)
    const min: Cell[] = Array(at.length).fill(undefined)
    const max: Cell[] = Array(at.length).fill(undefined)
    for (const time of breaks) {
      const index = place.get(time)
      if (index !== undefined) value[index] = min[index] = max[index] = null
    }
    for (const point of points) {
      const index = place.get(point.at)
      if (index === undefined) continue
      value[index] = point.value
      min[index] = point.min ?? point.value
      max[index] = point.max ?? point.value
    }
    for (const column of [value, min, max]) expandNulls(column)
    columns.push(value, min, max)
  }
  return [at, ...columns]
}

/**
 * A null reaches to the next values on both sides: the places between belong to other curves, and a line is broken
 * only as far as the nulls go.
 */
function expandNulls(column: Cell[]): void {
  for (const step of [1, -1]) {
    let inGap = false
    for (let index = step > 0 ? 0 : column.length - 1; index >= 0 && index < column.length; index += step) {
      if (column[index] === undefined && inGap) column[index] = null
      inGap = column[index] === null
    }
  }
}

/**
 * Where a gap breaks lines: just after its begin and just before its end, beside samples that have those times. Both,
 * because a sample may lie in the gap: clocks differ, and the gaps of several questions do not end alike.
 */
function breakTimes({ from, to }: TimeRange, taken: ReadonlySet<number>): number[] {
  let first = from + 1
  while (taken.has(first)) first++
  let last = to - 1
  while (taken.has(last)) last--
  return first < last ? [first, last] : first < to ? [first] : []
}

/** Gaps that overlap or touch become one, in time order, cut to a range. */
export function mergeGaps(gaps: readonly TimeRange[], range: TimeRange): TimeRange[] {
  const sorted = gaps
    .map((gap) => ({ from: Math.max(gap.from, range.from), to: Math.min(gap.to, range.to) }))
    .filter((gap) => gap.to > gap.from)
    .sort((a, b) => a.from - b.from)
  const merged: { from: number; to: number }[] = []
  for (const gap of sorted) {
    const last = merged.at(-1)
    if (last && gap.from <= last.to) last.to = Math.max(last.to, gap.to)
    else merged.push({ ...gap })
  }
  return merged
}

/** Axis of each curve by its unit: the first two units have an axis of their own, further ones only a scale. */
export function assignScales(units: readonly string[]): { scaleOf: number[]; units: string[] } {
  const known: string[] = []
  const scaleOf = units.map((unit) => {
    const place = known.indexOf(unit)
    return place >= 0 ? place : known.push(unit) - 1
  })
  return { scaleOf, units: known }
}

/** The least range of an axis, as a share of its greatest value: a resting value is a line, not a mountain range. */
const rangeFloorShare = 0.02
const rangePadding = 0.08

/** The vertical range for values from `min` to `max`, with room above and below. */
export function padRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1]
  const floor = Math.max(Math.abs(min), Math.abs(max)) * rangeFloorShare || 1
  const lack = Math.max(0, floor - (max - min)) / 2
  const room = Math.max(max - min, floor) * rangePadding
  const low = min - lack - room
  // A quantity that is never negative does not get a negative axis.
  return [min >= 0 && low < 0 ? 0 : low, max + lack + room]
}

/** What a curve says at an instant: its last point until then; null in a gap, or before it begins. */
export function valueAt(points: readonly TrendPoint[], at: number): number | null {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return points[low - 1]?.value ?? null
}
