import type { TimeRange } from './time-range.ts'
import { type Gap, inOrder, isBroken, typicalStep } from './trend-gaps.ts'

/** A point of a curve: when, what, and the least and greatest of what it stands for. Null: nothing known then. */
export interface TrendPoint {
  readonly at: number
  readonly value: number | null
  readonly min: number | null
  readonly max: number | null
  /** Its time or value is not certain. */
  readonly uncertain?: boolean
}

/** At most this many points a curve: more than the pixels it has. */
export const trendPointsMax = 2_000

/**
 * Adds a live sample to the end of a curve. Samples of one bucket become one point with their minimum and
 * maximum, so that a day of live values does not outgrow the history it continues. An older sample is
 * ignored.
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

/**
 * The history that was read, continued by the live samples since; for a time that both know, the history
 * counts.
 */
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
  /** Width of an average in milliseconds; 0 where the points are samples. */
  readonly intervalMs: number
  /** The gaps of its machine. */
  readonly gaps: readonly Gap[]
}

/**
 * A cell of aligned data: undefined means that this curve lacks a point at this time, null breaks its line.
 */
type Cell = number | null | undefined

/** Aligned columns as uPlot wants them: times, then value, min and max of each curve. */
export type TrendColumns = [at: number[], ...columns: Cell[][]]

/**
 * Aligns curves with different times. A gap breaks the lines that would lead through it: charts draw gaps as
 * gaps.
 */
export function alignCurves(curves: readonly TrendCurve[]): TrendColumns {
  const broken = curves.map((curve) => withBreaks(curve, inOrder(curve.gaps)))
  const at = timesOf(broken)
  const columns: Cell[][] = []
  for (const points of broken) {
    const value: Cell[] = Array(at.length).fill(undefined)
    const min: Cell[] = Array(at.length).fill(undefined)
    const max: Cell[] = Array(at.length).fill(undefined)
    let index = 0
    for (const point of points) {
      // Both are in time order, and every time of a point is among `at`.
      while ((at[index] as number) < point.at) index++
      value[index] = point.value
      min[index] = point.min ?? point.value
      max[index] = point.max ?? point.value
    }
    for (const column of [value, min, max]) expandNulls(column)
    columns.push(value, min, max)
  }
  return [at, ...columns]
}

/** All times of some curves, each once, in order. */
function timesOf(curves: readonly (readonly TrendPoint[])[]): number[] {
  const times = new Float64Array(curves.reduce((sum, { length }) => sum + length, 0))
  let count = 0
  for (const points of curves) for (const { at } of points) times[count++] = at
  times.sort()
  return Array.from(times).filter((at, index) => at !== times[index - 1])
}

/** The points of a curve, with an empty one wherever its line is broken; a step lasts up to the gap. */
function withBreaks(
  { points, stepped, intervalMs }: TrendCurve,
  gaps: readonly Gap[],
): readonly TrendPoint[] {
  if (gaps.length === 0) return points
  const rule = { gaps, stepMs: typicalStep(points), intervalMs }
  const broken: TrendPoint[] = []
  points.forEach((point, index) => {
    broken.push(point)
    const next = points[index + 1]
    if (!next || point.value === null || next.value === null || !isBroken(point.at, next.at, rule)) return
    const gap = gaps.find(({ from, to }) => from < next.at && to > point.at)
    const heldUntil = stepped && gap ? Math.max(gap.from, point.at) : point.at
    if (heldUntil > point.at) broken.push({ ...point, at: heldUntil })
    const at = (heldUntil + next.at) / 2
    broken.push({ at, value: null, min: null, max: null })
  })
  return broken
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

/** Gaps of one kind that overlap or touch become one, in time order, cut to a range. */
export function mergeGaps(gaps: readonly Gap[], range: TimeRange): Gap[] {
  const sorted = gaps
    .map((gap) => ({ ...gap, from: Math.max(gap.from, range.from), to: Math.min(gap.to, range.to) }))
    // Lost samples may be a single one: their gap then has zero width.
    .filter((gap) => gap.to > gap.from || (gap.lost !== undefined && gap.to === gap.from))
    .sort((a, b) => a.from - b.from)
  const merged: { from: number; to: number; lost?: number }[] = []
  for (const gap of sorted) {
    const last = merged.findLast((other) => (other.lost === undefined) === (gap.lost === undefined))
    if (last && gap.lost === undefined && gap.from <= last.to) last.to = Math.max(last.to, gap.to)
    else merged.push({ ...gap })
  }
  return merged
}

/** The axis of each curve by its unit: the first two units get an axis each, further ones only a scale. */
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

/** A limit extends the axis if it is not farther from the values than this share of their range. */
const limitReach = 1

/** The vertical range for values from `min` to `max`, widened for limits that are near them. */
export function rangeWithLimits(
  min: number | null,
  max: number | null,
  limits: readonly number[],
): [number, number] {
  const plain = padRange(min, max)
  if (min === null || max === null) return plain
  const reach = (plain[1] - plain[0]) * limitReach
  const near = limits.filter((limit) => limit >= plain[0] - reach && limit <= plain[1] + reach)
  return padRange(Math.min(min, ...near), Math.max(max, ...near))
}

/** The index of the last point up to an instant; -1 if there is none. */
export function placeAt(points: readonly { readonly at: number }[], at: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * The value of a curve at an instant: its last point up to then; undefined before its first point and inside
 * a gap.
 */
export function pointAt<P extends { readonly at: number; readonly value: unknown }>(
  curve: {
    readonly points: readonly P[]
    readonly stepped: boolean
    readonly intervalMs: number
    readonly gaps: readonly Gap[]
  },
  at: number,
): P | undefined {
  const { points, stepped, intervalMs } = curve
  const place = placeAt(points, at)
  const point = points[place]
  if (!point || at < point.at + Math.max(intervalMs, 1)) return point
  const next = points[place + 1]
  const sorted = inOrder(curve.gaps)
  const rule = { gaps: sorted, stepMs: typicalStep(points), intervalMs }
  // The newest value applies until the machine disconnects.
  if (!next) return isBroken(point.at, at, { ...rule, stepMs: 0, intervalMs: 0 }) ? undefined : point
  if (!isBroken(point.at, next.at, rule)) return point
  const gap = sorted.find(({ from, to }) => from < next.at && to > point.at)
  return stepped && gap && at < gap.from ? point : undefined
}
