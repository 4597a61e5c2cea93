import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { historyKey } from '../../../entities/machine/machine-queries.ts'
import { push } from '../../../shared/api/live.ts'
import type { TimeRange } from '../../../shared/ui/data/time-range.ts'

/** A backlog of hours arrives in many parts: the visible range is reloaded at most this often. */
const refreshMsMin = 2_000

/** Reloads the displayed parts of a machine's history that changed. */
export function useHistoryChanges(machineId: number): void {
  const client = useQueryClient()
  useEffect(() => {
    let changed: TimeRange | undefined
    let refreshedAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      refreshedAt = Date.now()
      const span = changed
      changed = undefined
      if (!span) return
      void client.invalidateQueries({
        queryKey: historyKey(machineId),
        // A pending request may get an answer that was read before the change.
        predicate: ({ state }) => overlaps(state.data as AskedRange | undefined, span),
      })
    }
    const stop = push.on('historyChange', (event) => {
      if (event.machineId !== machineId) return
      changed = {
        from: Math.min(event.from, changed?.from ?? event.from),
        to: Math.max(event.to, changed?.to ?? event.to),
      }
      timer ??= setTimeout(refresh, Math.max(0, refreshedAt + refreshMsMin - Date.now()))
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client, machineId])
}

type AskedRange = TimeRange & { readonly isLive: boolean }

/** A live range is open-ended. */
function overlaps(asked: AskedRange | undefined, changed: TimeRange): boolean {
  if (asked === undefined) return true
  return changed.to >= asked.from && (asked.isLive || changed.from < asked.to)
}
