import type { TimeRange } from './time-range.ts'

/** A time of which nothing is known: the machine was away, or samples were lost there. */
export interface Gap extends TimeRange {
  /**
   * Number of samples that the machine had to drop; both ends belong to them. Left out: it was not connected.
   */
  readonly lost?: number
}

/** The part of a point that decides whether a line may lead on from it. */
interface Place {
  readonly at: number
  readonly value: unknown
}

/** The number of differences examined for a typical one; a long series is as regular as its beginning. */
const stepsSeenMax = 400

/** The usual distance between the points of a series, in milliseconds; 0 if it has fewer than two. */
export function typicalStep(points: readonly Place[]): number {
  const steps = new Float64Array(Math.min(Math.max(points.length - 1, 0), stepsSeenMax))
  for (let index = 0; index < steps.length; index++)
    steps[index] = (points[index + 1]?.at ?? 0) - (points[index]?.at ?? 0)
  steps.sort()
  return steps[steps.length >> 1] ?? 0
}

/** A gap that was filled later leaves less than this many usual steps without a sample. */
const filledStepsMax = 3

export interface BreakRule {
  /** In time order. */
  readonly gaps: readonly Gap[]
  /** Usual distance between the points of the series, in milliseconds. */
  readonly stepMs: number
  /** Width of an average; 0 where the points are samples. */
  readonly intervalMs: number
}

/**
 * Whether a line from one point to the next would show a value that is unknown. A gap with no sample inside
 * breaks it, unless it is shorter than the interval of one average. A gap that was filled later does not
 * break it; only its missing edges count. Lost samples always break it.
 */
export function isBroken(from: number, to: number, rule: BreakRule): boolean {
  for (const gap of rule.gaps) {
    if (gap.from > to) break
    if (gap.to < from) continue
    if (gap.lost !== undefined) {
      if (gap.from < to && gap.to > from) return true
      continue
    }
    const overlapMs = Math.min(to, gap.to) - Math.max(from, gap.from)
    if (overlapMs <= 0) continue
    const isUnfilled = from <= gap.from && to >= gap.to
    if (
      isUnfilled
        ? overlapMs >= rule.intervalMs
        : overlapMs > filledStepsMax * Math.max(rule.stepMs, rule.intervalMs)
    )
      return true
  }
  return false
}

/** Tells for each point whether the line leads on to the next. */
export function connections(points: readonly Place[], rule: BreakRule): boolean[] {
  return points.map((point, index) => {
    const next = points[index + 1]
    if (!next || point.value === null || next.value === null) return false
    return !isBroken(point.at, next.at, rule)
  })
}

/**
 * The gaps that are still open: parts that a line crosses are removed, but lost samples stay even between
 * known values.
 */
export function openGaps(gaps: readonly Gap[], known: readonly TimeRange[]): Gap[] {
  const covered = [...known].sort((a, b) => a.from - b.from)
  return gaps.flatMap((gap) => {
    if (gap.lost !== undefined) return [gap]
    const open: Gap[] = []
    let from = gap.from
    for (const span of covered) {
      if (span.from >= gap.to) break
      if (span.to <= from) continue
      if (span.from > from) open.push({ from, to: span.from })
      from = Math.max(from, span.to)
    }
    if (from < gap.to) open.push({ from, to: gap.to })
    return open
  })
}

/** The stretches in which a line is drawn, in time order. */
export function knownSpans(points: readonly Place[], leads: readonly boolean[]): TimeRange[] {
  const spans: { from: number; to: number }[] = []
  points.forEach((point, index) => {
    const next = points[index + 1]
    if (!leads[index] || !next) return
    const last = spans.at(-1)
    if (last?.to === point.at) last.to = next.at
    else spans.push({ from: point.at, to: next.at })
  })
  return spans
}

/** Gaps as the rules about them want them. */
export function inOrder(gaps: readonly Gap[]): Gap[] {
  return [...gaps].sort((a, b) => a.from - b.from)
}

/** The gaps of some series, in time order. Series of one machine have one list of gaps, which counts once. */
export function gapsOf(series: readonly { readonly gaps: readonly Gap[] }[]): Gap[] {
  return inOrder([...new Set(series.map(({ gaps }) => gaps))].flat())
}

/** The gaps that the samples of some series leave open: a gap that was filled later is left out. */
export function gapsLeftBy(
  series: readonly {
    readonly points: readonly Place[]
    readonly intervalMs: number
    readonly gaps: readonly Gap[]
  }[],
): Gap[] {
  const all = gapsOf(series)
  if (all.length === 0) return all
  const known = series.flatMap(({ points, intervalMs, gaps }) => {
    const rule = { gaps: inOrder(gaps), stepMs: typicalStep(points), intervalMs }
    return knownSpans(points, connections(points, rule))
  })
  return openGaps(all, known)
}

/** Gaps in the order of their reasons: lost samples explain more than an absent machine. */
export function gapAt(gaps: readonly Gap[], at: number): Gap | undefined {
  const here = gaps.filter((gap) => gap.from <= at && gap.to >= at)
  return here.find((gap) => gap.lost !== undefined) ?? here[0]
}
