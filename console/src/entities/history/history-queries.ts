import { type AnswerOf, telemetry } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { alignRange, lengthOf, niceInterval, rangeOf, type Span } from './history-span.ts'

/** Tags with more samples than this in the visible span are shown as averages. */
const samplesPerTagMax = 2_000
/** Interval at which a live span is reloaded: as often as its curve moves a pixel, within these bounds. */
const refreshMs = { min: 3_000, max: 300_000 } as const
const refreshesPerSpan = 600

/** History with the requested range in whole intervals, and `range`, the time that it is shown at. */
export interface HistoryAnswer extends AnswerOf<typeof telemetry.getHistory>, TimeRange {
  readonly range: TimeRange
  readonly shiftMs: number
  /** It follows the current time. */
  readonly isLive: boolean
}

export interface HistoryOptions {
  /** The number of intervals, about. */
  readonly buckets: number
  /** The same so much earlier. */
  readonly shiftMs: number
  /** Averages only, or whatever is exact and still fits. */
  readonly agg: 'auto' | 'avg'
  /** The page adds pushed values to it, so that it is not reloaded regularly. */
  readonly isContinued: boolean
}

/** The key of everything that was read of some tags, of now or of an earlier period. */
export const historyOfTags = (tagIds: readonly number[], shiftMs: number) =>
  ['history', tagIds.join(), shiftMs] as const

/** Some tags over a span; a live span ends at the time of the request. */
export function historyQuery(
  tagIds: readonly number[],
  span: Span,
  { buckets, shiftMs, agg, isContinued }: HistoryOptions,
) {
  const isLive = span.kind === 'live'
  const intervalMs = niceInterval(isLive ? span.lengthMs : lengthOf(span), Math.max(buckets, 1))
  const time = isLive ? span.lengthMs : [span.from, span.to]
  return queryOptions<HistoryAnswer>({
    queryKey: [...historyOfTags(tagIds, shiftMs), time, intervalMs, agg],
    queryFn: async ({ signal }) => {
      const range = rangeOf(span, Date.now())
      const asked = alignRange({ from: range.from - shiftMs, to: range.to - shiftMs }, intervalMs)
      const answer = await call(
        telemetry.getHistory,
        { tagIds: [...tagIds], ...asked, interval: intervalMs, points: samplesPerTagMax, agg },
        // A failure is shown in place of the chart.
        { signal, noNotice: true },
      )
      return { ...answer, ...asked, range, shiftMs, isLive: isLive && shiftMs === 0 }
    },
    enabled: buckets > 0 && tagIds.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    // Nothing tells a page about changes of what it does not show.
    refetchOnMount: 'always',
    gcTime: 60_000,
    structuralSharing: false,
    // A picture of another period does not stand in for the one that is compared.
    placeholderData: (before) => (before?.shiftMs === shiftMs ? before : undefined),
    refetchInterval:
      isLive && !isContinued
        ? Math.min(Math.max(span.lengthMs / refreshesPerSpan, refreshMs.min), refreshMs.max)
        : false,
  })
}
