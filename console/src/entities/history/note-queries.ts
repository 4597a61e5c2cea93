import { annotations } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'

export type Note = annotations.Annotation

export const notesKey = ['annotations'] as const
/** Notes of others are not pushed. */
const notesMs = 60_000
/** Notes are requested in whole steps, so that a live chart does not request them with each refresh. */
const stepMs = 3_600_000

/** The notes on machines about a range, the newest first. */
export function notesQuery(machineIds: readonly number[], range: TimeRange) {
  const from = Math.floor(range.from / stepMs) * stepMs
  const to = Math.ceil(range.to / stepMs) * stepMs
  return queryOptions({
    queryKey: [...notesKey, machineIds.join(), from, to],
    queryFn: ({ signal }) =>
      call(
        annotations.listAnnotations,
        { machineIds: [...machineIds], from, to },
        { signal, noNotice: true },
      ),
    enabled: machineIds.length > 0,
    refetchInterval: notesMs,
    placeholderData: keepPreviousData,
  })
}
