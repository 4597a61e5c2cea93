import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { SimsSearch } from './search.ts'

type Update = (
  change: { [K in keyof SimsSearch]?: SimsSearch[K] | undefined },
  options?: { replace?: boolean },
) => void

/** Reads and changes the address of the list of cards. */
export function useSimsSearch(): [SimsSearch, Update] {
  const search = useSearch({ from: '/shell/dataCenter/sims' })
  const navigate = useNavigate()
  const update = useCallback<Update>(
    (change, options) =>
      void navigate({
        to: '/dataCenter/sims',
        search: (before: object) =>
          Object.fromEntries(
            Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
          ) as SimsSearch,
        replace: options?.replace ?? false,
      }),
    [navigate],
  )
  return [search, update]
}
