import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { MessageSearch } from './search.ts'

/** Changes the address: `undefined` removes a parameter. `replace` adds no history entry. */
export type UpdateMessageSearch = (
  change: { [K in keyof MessageSearch]?: MessageSearch[K] | undefined },
  options?: { replace?: boolean },
) => void

/** The search parameters of the message centre, and the function that changes them. */
export function useMessageSearch(): [MessageSearch, UpdateMessageSearch] {
  const search = useSearch({ from: '/shell/msgCenter' })
  const navigate = useNavigate()
  const update = useCallback<UpdateMessageSearch>(
    (change, options) =>
      void navigate({
        to: '/msgCenter',
        search: (before) =>
          Object.fromEntries(
            Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
          ),
        replace: options?.replace ?? false,
      }),
    [navigate],
  )
  return [search, update]
}
