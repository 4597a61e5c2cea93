import { type AnswerOf, telemetry } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import type { TrendLine } from '../../shared/ui/data/trend-line.ts'
import { historyKey } from '../machine/machine-queries.ts'
import { toGaps, toTrendPoint } from '../machine/trend-data.ts'

/** About as many intervals as a chart in a dialog has pixels. */
const intervals = 600
const intervalSteps = [
  1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000,
]

export type TrialHistory = AnswerOf<typeof telemetry.getHistory> & {
  readonly intervalMs: number
  readonly range: TimeRange
}

/** The history of some variables, in as many intervals as are visible. */
export function trialHistoryQuery(machineId: number, tagIds: readonly number[], { from, to }: TimeRange) {
  const wanted = (to - from) / intervals
  const intervalMs = intervalSteps.find((step) => step >= wanted) ?? (intervalSteps.at(-1) as number)
  const range = {
    from: Math.floor(from / intervalMs) * intervalMs,
    to: Math.ceil(to / intervalMs) * intervalMs,
  }
  return queryOptions({
    queryKey: [...historyKey(machineId), 'trial', tagIds.join(), range.from, range.to],
    queryFn: async ({ signal }): Promise<TrialHistory> => {
      const answer = await call(
        telemetry.getHistory,
        { tagIds: [...tagIds], ...range, interval: intervalMs, agg: 'avg' },
        { signal, noNotice: true },
      )
      return { ...answer, intervalMs, range: { from, to } }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
  })
}

/** The curves of a trial. */
export function trialLines(
  history: TrialHistory,
  tags: readonly telemetry.Tag[],
  limitsOf: (tagId: number) => TrendLine['ruleLimits'],
): TrendLine[] {
  const { series, intervalMs } = history
  const gaps = toGaps(history)
  return tags.map((tag, place) => ({
    key: String(tag.tagId),
    name: tag.name,
    unit: tag.unit,
    colour: place + 1,
    stepped: tag.type === 'bool' || tag.enum !== undefined,
    min: null,
    max: null,
    ruleLimits: limitsOf(tag.tagId) ?? [],
    intervalMs,
    points: (series.find(({ tagId }) => tagId === tag.tagId)?.points ?? []).map(toTrendPoint),
    gaps,
  }))
}
