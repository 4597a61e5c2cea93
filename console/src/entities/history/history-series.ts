import type { telemetry } from '@busbar/contract'
import type { TagShape } from '../../shared/ui/data/tag-value.ts'
import { chartNumber } from '../../shared/ui/data/tag-value.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { connections, type Gap, inOrder, typicalStep } from '../../shared/ui/data/trend-gaps.ts'
import { placeAt, type TrendPoint } from '../../shared/ui/data/trend-series.ts'

/** A machine whose past is shown. */
export interface HistoryMachine {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly online: boolean
}

/** A tag as the explorer shows it; one of a former type is known only from its history. */
export interface ShownTag extends TagShape {
  readonly tagId: number
  readonly name: string
  /** Named with it where several devices are shown together. */
  readonly machineName?: string
  readonly type: telemetry.TagType
  /** Limits of the tag; null if it has none, and for a state. */
  readonly min: number | null
  readonly max: number | null
  /** Other versions of it, and until when this one was written; null for a tag that always had one type. */
  readonly version: telemetry.HistorySeries['version']
}

/** A sample or an average, as received and as a chart draws it. */
export interface HistorySample extends TrendPoint {
  readonly told: telemetry.TagValue
  readonly quality: telemetry.Quality
}

/** One tag's past within a range, with the samples beside it. */
export interface TagSeries {
  /** Tells it from the others of a chart: an earlier period of a tag is another series. */
  readonly key: string
  readonly tag: ShownTag
  readonly machineId: number
  /** It is from so much earlier, and moved to the time that is shown; 0: it is of this time. */
  readonly shiftMs: number
  readonly kind: telemetry.HistoryKind
  /** Width of a bucket; 0 where the points are samples. */
  readonly intervalMs: number
  /** Its values apply until the next one. */
  readonly stepped: boolean
  /** In time order, those beside the range included. */
  readonly points: readonly HistorySample[]
  /** From here on values are missing, because there were too many. */
  readonly cutAt: number | null
  /** The gaps of the tag's machine: the same list for all series of it. */
  readonly gaps: readonly Gap[]
}

/** A tag by its name, after that of its machine where several are shown together. */
export function titleOf({ name, machineName }: Pick<ShownTag, 'name' | 'machineName'>): string {
  return machineName ? `${machineName} · ${name}` : name
}

/** A state is shown as a lane, a number as a curve. */
export function isState(tag: Pick<ShownTag, 'type' | 'enum'>): boolean {
  return tag.type === 'bool' || tag.type === 'string' || tag.enum !== undefined
}

/** The series of a tag with the gaps of its machine, which are moved by `shiftMs` already. */
export function toTagSeries(
  tag: ShownTag,
  told: telemetry.HistorySeries,
  { gaps = [], shiftMs = 0 }: { readonly gaps?: readonly Gap[]; readonly shiftMs?: number } = {},
): TagSeries {
  const points = [told.before, ...told.points, told.after].filter((point) => point !== null)
  return {
    key: shiftMs === 0 ? String(tag.tagId) : `${tag.tagId} -${shiftMs}`,
    // Limits and former versions belong to the tag and are drawn once.
    tag: shiftMs === 0 ? { ...tag, version: told.version } : { ...tag, min: null, max: null, version: null },
    machineId: told.machineId ?? 0,
    shiftMs,
    gaps,
    kind: told.kind,
    intervalMs: told.kind === 'buckets' ? (told.intervalMs ?? 0) : 0,
    // An integer jumps; its mean does not.
    stepped: isState(tag) || (tag.type === 'int64' && told.kind !== 'buckets'),
    points: points.map((point) => toSample(point, shiftMs)),
    cutAt: told.cutAt === null ? null : told.cutAt + shiftMs,
  }
}

function toSample([at, told, min, max, notGood]: telemetry.HistoryPoint, shiftMs: number): HistorySample {
  const quality = notGood ?? 'good'
  const counts = quality === 'good' || quality === 'uncertain'
  return {
    at: at + shiftMs,
    told,
    quality,
    value: counts ? drawn(told) : null,
    min: counts ? min : null,
    max: counts ? max : null,
    ...(quality === 'uncertain' ? { uncertain: true } : {}),
  }
}

/** A text is drawn at height zero; only its presence counts. */
function drawn(told: telemetry.TagValue): number | null {
  return typeof told === 'string' ? (chartNumber(told) ?? 0) : chartNumber(told)
}

/** Those points of a series that lie in a range: an average belongs to it if a part of it does. */
export function pointsWithin({ points, intervalMs }: TagSeries, { from, to }: TimeRange): HistorySample[] {
  return points.filter(({ at }) => at < to && (intervalMs > 0 ? at + intervalMs > from : at >= from))
}

/** A stretch in which a state was the same; `mixed`: it changed too often to say. */
export interface StateRun extends TimeRange {
  readonly told: telemetry.TagValue
  readonly quality: telemetry.Quality
  readonly mixed: boolean
}

/**
 * The runs of a state, from its samples: a run lasts until the next sample, until a gap begins, or until
 * `until`, the end of what can be known. Bad and unknown samples start no run.
 */
export function stateRuns(series: TagSeries, until: number): StateRun[] {
  const { points, intervalMs, tag } = series
  const sorted = inOrder(series.gaps)
  const rule = { gaps: sorted, stepMs: typicalStep(points), intervalMs }
  const leads = connections(points, rule)
  const runs: {
    from: number
    to: number
    told: telemetry.TagValue
    quality: telemetry.Quality
    mixed: boolean
  }[] = []
  points.forEach((point, index) => {
    if (point.value === null) return
    const next = points[index + 1]
    const to = next && leads[index] ? next.at : endOfHold(series, point.at, next, sorted, until)
    if (to <= point.at) return
    const mixed = intervalMs > 0 && (tag.type === 'string' || point.min !== point.max)
    const last = runs.at(-1)
    if (
      last &&
      last.to === point.at &&
      last.told === point.told &&
      last.quality === point.quality &&
      last.mixed === mixed
    )
      last.to = to
    else runs.push({ from: point.at, to, told: point.told, quality: point.quality, mixed })
  })
  return runs
}

/** The end of the last value before a gap, a bad sample or the end of known data. */
function endOfHold(
  { tag, intervalMs }: TagSeries,
  at: number,
  next: HistorySample | undefined,
  gaps: readonly Gap[],
  until: number,
): number {
  const end = next ? next.at : Math.min(until, tag.version?.retiredAt ?? Number.POSITIVE_INFINITY)
  const gap = gaps.find(({ from, to }) => from < end && to > at)
  const heldUntil = gap ? Math.max(gap.from, at) : end
  // The time between two buckets is unknown.
  return intervalMs > 0 && next && !gap ? Math.min(heldUntil, at + intervalMs) : heldUntil
}

/** Runs cut to a range; those narrower than `leastMs` are merged, because they cannot be told apart. */
export function visibleRuns(runs: readonly StateRun[], range: TimeRange, leastMs: number): StateRun[] {
  const shown: StateRun[] = []
  for (const run of runs) {
    const cut = { ...run, from: Math.max(run.from, range.from), to: Math.min(run.to, range.to) }
    if (cut.to <= cut.from) continue
    const last = shown.at(-1)
    const isShort = cut.to - cut.from < leastMs
    if (last && isShort && cut.from - last.to < leastMs && (last.mixed || last.to - last.from < leastMs)) {
      shown[shown.length - 1] = { ...last, to: cut.to, mixed: true }
    } else shown.push(cut)
  }
  return shown
}

/** The time of the sample nearest to an instant; undefined if there is none within reach. */
export function nearestTime(series: readonly TagSeries[], at: number, reachMs: number): number | undefined {
  let nearest: number | undefined
  for (const { points } of series) {
    const place = placeAt(points, at)
    for (const point of [points[place], points[place + 1]]) {
      if (!point || Math.abs(point.at - at) > reachMs) continue
      if (nearest === undefined || Math.abs(point.at - at) < Math.abs(nearest - at)) nearest = point.at
    }
  }
  return nearest
}

/** The next time, in a direction, at which any of the series has a sample within a range. */
export function neighbourTime(
  series: readonly TagSeries[],
  at: number | null,
  step: 1 | -1,
  { from, to }: TimeRange,
): number | undefined {
  let found: number | undefined
  for (const { points } of series) {
    for (const point of points) {
      if (point.at < from || point.at > to) continue
      const isNext = at === null || (step > 0 ? point.at > at : point.at < at)
      const isNearer = found === undefined || (step > 0 ? point.at < found : point.at > found)
      if (isNext && isNearer) found = point.at
    }
  }
  return found
}
