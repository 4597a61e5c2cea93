import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { PageSpaceSearch } from '../../shared/session/page-space-search.ts'
import type { ReportsSearch } from './search.ts'

type Open = (what: { report?: number; add?: true }) => void

/** The report that the address names, and the way to another one or to the list. */
export function useReportsSearch(): [ReportsSearch, Open] {
  const search = useSearch({ from: '/shell/dataCenter/reports' })
  const navigate = useNavigate()
  const open = useCallback<Open>(
    (what) =>
      void navigate({
        to: '/dataCenter/reports',
        search: ({ eid }: PageSpaceSearch): ReportsSearch => ({
          ...(eid === undefined ? {} : { eid }),
          ...what,
        }),
      }),
    [navigate],
  )
  return [search, open]
}
