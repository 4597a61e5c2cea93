import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ListSearch } from './search.ts'

/** Changes the address: `undefined` takes a parameter away. `replace` leaves no step to go back to. */
export type UpdateListSearch = (
  change: { [K in keyof ListSearch]?: ListSearch[K] | undefined },
  options?: { replace?: boolean },
) => void

/** What the device list's address says, and how to change it. */
export function useListSearch(): [ListSearch, UpdateListSearch] {
  const search = useSearch({ from: '/shell/index' })
  const navigate = useNavigate()
  const update = useCallback<UpdateListSearch>(
    (change, options) =>
      void navigate({
        to: '/index/',
        search: (before) => withoutGaps({ ...before, ...change }),
        replace: options?.replace ?? false,
      }),
    [navigate],
  )
  return [search, update]
}

function withoutGaps(search: object): ListSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
