import { retention } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'

export type Retention = retention.Retention

/** The key with which all queries of retention begin. */
export const retentionKey = ['retention'] as const

export function retentionQuery(asked: PageSpace['asked']) {
  return queryOptions({
    queryKey: [...retentionKey, asked.eid ?? 0],
    queryFn: ({ signal }) => call(retention.getRetention, asked, { signal, noNotice: true }),
    // Another person may have changed it, or a change may have taken effect.
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })
}
