import { sites } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'

export type SiteRow = sites.SiteRow

/** The key with which all queries of sites begin. */
export const sitesKey = ['sites'] as const

export function siteListQuery(asked: PageSpace['asked']) {
  return queryOptions({
    queryKey: [...sitesKey, 'list', asked],
    queryFn: ({ signal }) => call(sites.listSites, { ...asked }, { signal, noNotice: true }),
    staleTime: 0,
  })
}
