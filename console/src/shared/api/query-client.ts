import { ApiError } from '@busbar/contract'
import { QueryClient } from '@tanstack/react-query'
import { retryMsOf } from './load-queue.ts'
import { onReturn } from './reachability.ts'

/*
 * Conventions: each feature has a `<feature>-queries.ts` of `queryOptions` whose keys begin with the noun
 * (`['machines']`, `['machines', id, 'tags']`); the push writes into the same keys; components use the options.
 */

const staleMs = 30_000
const networkRetriesMax = 2
/** Of a query that the platform put off, because it has too many at the time. */
const waitsMax = 4
/** Queries that were put off until the same moment do not all come back in it. */
const waitSpreadMs = 1_000
const usualRetryMs = 1_000

/** The cache of all queries to the platform. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The browser's network state says little about the platform. A call is always made and may fail;
    // otherwise it would wait silently, and a change would be made whenever the network comes back.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: staleMs,
      // The push keeps the data up to date; reloading at every focus would only be load.
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        error instanceof ApiError &&
        ((error.http === 0 && failures < networkRetriesMax) || (error.code === '429' && failures < waitsMax)),
      retryDelay: (failures, error) => {
        const waitMs = retryMsOf(error)
        return waitMs === undefined ? usualRetryMs * 2 ** failures : waitMs + Math.random() * waitSpreadMs
      },
    },
  },
})

/** After an outage all open pages return in the same moment. */
const refetchSpreadMs = 5_000
let refetching: ReturnType<typeof setTimeout> | undefined

/** Asks for everything again, at a moment that is each page's own; once, however many ask for it. */
export function refetchSpread(): void {
  if (refetching !== undefined) return
  refetching = setTimeout(() => {
    refetching = undefined
    void queryClient.invalidateQueries()
  }, Math.random() * refetchSpreadMs)
}

// The platform answers again: by then the data is old, and queries have failed.
onReturn(refetchSpread)
