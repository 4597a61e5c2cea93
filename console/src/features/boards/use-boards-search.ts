import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { BoardsSearch } from './search.ts'

type Update = (
  change: { [K in keyof BoardsSearch]?: BoardsSearch[K] | undefined },
  options?: { replace?: boolean },
) => void

/** Reads and changes the address of the boards. */
export function useBoardsSearch(): [BoardsSearch, Update] {
  const search = useSearch({ from: '/shell/dataCenter' })
  const navigate = useNavigate()
  const update = useCallback<Update>(
    (change, options) =>
      void navigate({
        to: '/dataCenter',
        search: (before: object) =>
          Object.fromEntries(
            Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
          ) as BoardsSearch,
        replace: options?.replace ?? false,
      }),
    [navigate],
  )
  return [search, update]
}
