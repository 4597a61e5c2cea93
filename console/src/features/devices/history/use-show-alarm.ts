import { useCallback } from 'react'
import { alarmKey, spanOfAlarm } from '../../../entities/history/history-marks.ts'
import { formatSpan } from '../../../entities/history/history-span.ts'
import { useListSearch } from '../list-search.ts'

/** Shows the history at the time of an alarm, with its mark. */
export function useShowAlarm(): (alarm: { readonly alarmId: number; readonly raisedAt: number }) => void {
  const [, update] = useListSearch()
  return useCallback(
    ({ alarmId, raisedAt }) => {
      const span = { kind: 'fixed', ...spanOfAlarm(raisedAt, Date.now()) } as const
      update({ tab: 'history', ...formatSpan(span), mark: alarmKey(alarmId), table: undefined })
    },
    [update],
  )
}
