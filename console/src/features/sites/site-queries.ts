import { sites } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { sitesKey } from '../../entities/site/site-queries.ts'
import { call } from '../../shared/api/client.ts'

export type Site = sites.Site
export type SitePlan = sites.SitePlan

/** Interval at which an open site is reloaded, which also keeps its changes pushed. */
const openMs = 5 * 60_000

export const siteKey = (id: number) => [...sitesKey, 'one', id] as const

export function siteQuery(id: number) {
  return queryOptions({
    queryKey: siteKey(id),
    queryFn: ({ signal }) => call(sites.getSite, { id }, { signal, noNotice: true }),
    refetchInterval: openMs,
    staleTime: 0,
    retry: false,
  })
}

/** Machines near a site that stand on no plan, the nearest first. */
export function nearbyQuery(id: number) {
  return queryOptions({
    queryKey: [...sitesKey, 'nearby', id],
    queryFn: async ({ signal }) =>
      (await call(sites.listNearby, { id }, { signal, noNotice: true })).machines,
    staleTime: 0,
  })
}
