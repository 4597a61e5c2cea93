import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ExplorerSearch } from './search.ts'

export type UpdateExplorer = (
  change: { [K in keyof ExplorerSearch]?: ExplorerSearch[K] | undefined },
  options?: { replace?: boolean },
) => void

/** Reads and changes the address of the explorer. */
export function useExplorerSearch(): [ExplorerSearch, UpdateExplorer] {
  const search = useSearch({ from: '/shell/dataCenter/explorer' })
  const navigate = useNavigate()
  const update = useCallback<UpdateExplorer>(
    (change, options) =>
      void navigate({
        to: '/dataCenter/explorer',
        search: (before: object) =>
          Object.fromEntries(
            Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
          ) as ExplorerSearch,
        replace: options?.replace ?? false,
      }),
    [navigate],
  )
  return [search, update]
}
