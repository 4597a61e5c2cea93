import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ListSearch } from './search.ts'

/** Changes the address: `undefined` removes a parameter. `replace` adds no history entry. */
export type UpdateListSearch = (
  change: { [K in keyof ListSearch]?: ListSearch[K] | undefined },
  options?: { replace?: boolean },
) => void

/** Reads and changes the address of a device list, in any space. */
export function useListSearch(): [ListSearch, UpdateListSearch] {
  const search = useSearch({ strict: false }) as ListSearch
  const navigate = useNavigate()
  const isOfEnterprise = useLocation().pathname.startsWith('/device')
  const update = useCallback<UpdateListSearch>(
    (change, options) =>
      void navigate({
        to: isOfEnterprise ? '/device/' : '/index/',
        search: (before: object) => withoutGaps({ ...before, ...change }),
        replace: options?.replace ?? false,
      }),
    [navigate, isOfEnterprise],
  )
  return [search, update]
}

// The parameters that identify the list stay unchanged.
function withoutGaps(search: object): { type: 1 | 2 } & ListSearch {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { type: 1 | 2 } & ListSearch
}
