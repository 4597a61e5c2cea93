import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { AlarmsSearch } from './search.ts'

type Update = (
  change: { [K in keyof AlarmsSearch]?: AlarmsSearch[K] | undefined },
  options?: { replace?: boolean },
) => void

/** Reads and changes the address of the list of alarms. */
export function useAlarmsSearch(): [AlarmsSearch, Update] {
  const search = useSearch({ from: '/shell/alarmCenter' })
  const navigate = useNavigate()
  const update = useCallback<Update>(
    (change, options) =>
      void navigate({
        to: '/alarmCenter',
        search: (before: object) =>
          Object.fromEntries(
            Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
          ) as AlarmsSearch,
        replace: options?.replace ?? false,
      }),
    [navigate],
  )
  return [search, update]
}
