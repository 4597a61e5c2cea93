import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { push } from '../../shared/api/live.ts'
import { alarmsKey } from './alarm-queries.ts'

/** Events are gathered this long: a flood of alarms is one question for the lists, not one for each. */
const gatherMs = 1_000

/** Lists that are measured over a past period do not change with an alarm of now. */
const isLive = (queryKey: readonly unknown[]) => queryKey[0] === alarmsKey[0] && queryKey[1] !== 'quality'

/** Reloads the open lists of alarms after events: immediately for the first, then once for those that follow. */
export function createAlarmSync(client: QueryClient): { note(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isNoted = false

  function ask() {
    isNoted = false
    void client.invalidateQueries({ predicate: ({ queryKey }) => isLive(queryKey) })
    timer = setTimeout(() => {
      timer = undefined
      if (isNoted) ask()
    }, gatherMs)
  }

  return {
    note() {
      if (timer === undefined) ask()
      else isNoted = true
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/**
 * Keeps what is shown of alarms as the push says: a machine has other alarms, a message of one came, or the person's
 * part in an enterprise or its maintenance changed.
 */
export function useAlarmSync(): void {
  const client = useQueryClient()
  useEffect(() => {
    const sync = createAlarmSync(client)
    const leaves = [
      push.on('machineState', sync.note),
      push.on('unread', sync.note),
      push.on('spaces', sync.note),
    ]
    return () => {
      for (const leave of leaves) leave()
      sync.stop()
    }
  }, [client])
}
