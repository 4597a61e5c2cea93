import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { SitesSearch } from './search.ts'

type Update = (
  change: { [K in keyof SitesSearch]?: SitesSearch[K] | undefined },
  options?: { replace?: boolean },
) => void

/** Reads and changes the address of the sites. */
export function useSitesSearch(): [SitesSearch, Update] {
  const search = useSearch({ from: '/shell/dataCenter/sites' })
  const navigate = useNavigate()
  const update = useCallback<Update>(
    (change, options) =>
      void navigate({
        to: '/dataCenter/sites',
        search: (before: object) =>
          Object.fromEntries(
            Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
          ) as SitesSearch,
        replace: options?.replace ?? false,
      }),
    [navigate],
  )
  return [search, update]
}
