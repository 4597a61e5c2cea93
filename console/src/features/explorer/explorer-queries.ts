import { boards, type Lang, telemetry } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  alignRange,
  lengthOf,
  niceInterval,
  rangeOf,
  type Span,
} from '../../entities/history/history-span.ts'
import { call } from '../../shared/api/client.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'

const explorerKey = ['explorer'] as const

/** Interval at which a live span is reloaded: as often as its curve moves a pixel, within these bounds. */
const refreshMs = { min: 3_000, max: 300_000 } as const
const refreshesPerSpan = 600
const samplesPerTagMax = 2_000
/** Names and limits of variables are not pushed. */
const tagsMs = 60_000

/** Variables with their devices. Those that the reader may not see, or that do not exist, are left out. */
export function explorerTagsQuery(tagIds: readonly number[], lang: Lang) {
  return queryOptions({
    queryKey: [...explorerKey, 'tags', tagIds.join(), lang],
    queryFn: ({ signal }) =>
      call(boards.lookUpBoardTags, { tags: [], tagIds: [...tagIds] }, { signal, noNotice: true }),
    enabled: tagIds.length > 0,
    refetchInterval: tagsMs,
    placeholderData: keepPreviousData,
  })
}

/**
 * Variables over a span, `shiftMs` earlier, in about so many intervals; a live span ends at the time of the
 * request.
 */
export function explorerHistoryQuery(
  tagIds: readonly number[],
  span: Span,
  { buckets, shiftMs = 0 }: { readonly buckets: number; readonly shiftMs?: number },
) {
  const intervalMs = niceInterval(span.kind === 'live' ? span.lengthMs : lengthOf(span), buckets)
  const time = span.kind === 'live' ? span.lengthMs : [span.from, span.to]
  return queryOptions({
    queryKey: [...explorerKey, 'history', tagIds.join(), time, intervalMs, shiftMs],
    queryFn: async ({ signal }) => {
      const range = rangeOf(span, Date.now())
      const asked = alignRange({ from: range.from - shiftMs, to: range.to - shiftMs }, intervalMs)
      const answer = await call(
        telemetry.getHistory,
        { tagIds: [...tagIds], ...asked, interval: intervalMs, points: samplesPerTagMax, agg: 'auto' },
        { signal, noNotice: true },
      )
      return { ...answer, range }
    },
    enabled: tagIds.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
    placeholderData: keepPreviousData,
    refetchInterval:
      span.kind === 'live'
        ? Math.min(Math.max(span.lengthMs / refreshesPerSpan, refreshMs.min), refreshMs.max)
        : false,
  })
}

/** Statistics of exactly the visible range. */
export function statisticsQuery(tagIds: readonly number[], range: TimeRange) {
  const [from, to] = [Math.round(range.from), Math.round(range.to)]
  return queryOptions({
    queryKey: [...explorerKey, 'statistics', tagIds.join(), from, to],
    queryFn: ({ signal }) =>
      call(telemetry.getStatistics, { tagIds: [...tagIds], from, to }, { signal, noNotice: true }),
    enabled: tagIds.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  })
}

/** All history that the explorer loaded of a device is reloaded. */
export const historyOfExplorer = [...explorerKey, 'history'] as const
