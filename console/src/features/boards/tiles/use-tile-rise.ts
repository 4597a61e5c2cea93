import { telemetry } from '@busbar/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { historyOfTags } from '../../../entities/history/history-queries.ts'
import { rangeOf, type Span } from '../../../entities/history/history-span.ts'
import { useChanges } from '../../../entities/history/use-history.ts'
import { call } from '../../../shared/api/client.ts'
import type { FoundTag, Missing } from '../board-data.ts'

/** Interval at which the rise of a live span is counted again. */
const refreshMs = 15_000

function riseQuery(tagId: number, span: Span) {
  const isLive = span.kind === 'live'
  const time = isLive ? span.lengthMs : [span.from, span.to]
  return queryOptions({
    queryKey: [...historyOfTags([tagId], 0), 'rise', time],
    queryFn: async ({ signal }) => {
      const { from, to } = rangeOf(span, Date.now())
      const asked = { tagIds: [tagId], from: Math.round(from), to: Math.round(to) }
      const [figures] = await call(telemetry.getStatistics, asked, { signal, noNotice: true })
      return { value: figures?.delta?.value ?? null, from, to, isLive }
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    refetchInterval: isLive && refreshMs,
  })
}

/** The rise of a counter over a span; null where it has no values there, or where the variable falls too often for a counter. */
export function useTileRise(
  { tagId, machineId }: FoundTag,
  span: Span,
): { readonly value: telemetry.TagValue | null } | Missing {
  const { data, isError } = useQuery(riseQuery(tagId, span))
  useChanges([{ id: machineId }], historyOfTags([tagId], 0))
  return data ?? (isError ? 'failed' : 'wait')
}
