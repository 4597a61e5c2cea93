import { type AnswerOf, type Lang, telemetry } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { historyKey } from '../machine/machine-queries.ts'
import { alignRange, lengthOf, niceInterval, rangeOf, type Span } from './history-span.ts'

/** Tags with more samples than this in the visible span are shown as averages. */
const samplesPerTagMax = 2_000

/** History with the requested range, which is `range` in whole intervals. */
export interface HistoryAnswer extends AnswerOf<typeof telemetry.getHistory>, TimeRange {
  readonly range: TimeRange
  /** It follows the current time. */
  readonly isLive: boolean
}

/** Some tags over a span, in about so many intervals; a live span ends at the time of the request. */
export function explorerQuery(
  machineId: number,
  tagIds: readonly number[],
  span: Span,
  { buckets, lang }: { buckets: number; lang: Lang },
) {
  const intervalMs = niceInterval(span.kind === 'live' ? span.lengthMs : lengthOf(span), buckets)
  const time = span.kind === 'live' ? span.lengthMs : [span.from, span.to]
  return queryOptions({
    queryKey: [...historyKey(machineId), 'explorer', tagIds.join(), time, intervalMs, lang],
    queryFn: async ({ signal }): Promise<HistoryAnswer> => {
      const range = rangeOf(span, Date.now())
      const asked = alignRange(range, intervalMs)
      const answer = await call(
        telemetry.getHistory,
        { tagIds: [...tagIds], ...asked, interval: intervalMs, points: samplesPerTagMax, agg: 'auto' },
        // A failure is shown in place of the chart.
        { signal, noNotice: true },
      )
      return { ...answer, ...asked, range, isLive: span.kind === 'live' }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
  })
}
