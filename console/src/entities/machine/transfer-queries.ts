import { machines } from '@busbar/contract'
import { type QueryClient, type QueryKey, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../shared/api/client.ts'
import { push } from '../../shared/api/live.ts'
import { refreshList } from './list-changes.ts'

/** Open offers of machines, by the caller and to them. */
export const transfersQuery = queryOptions({
  queryKey: ['machines', 'transfers'],
  queryFn: ({ signal }) => call(machines.listTransfers, {}, { signal, noNotice: true }),
})

/** After an offer was made or answered: reloads the offers, and the owners of the machines. */
export async function refreshTransfers(client: QueryClient): Promise<void> {
  await Promise.all([client.invalidateQueries({ queryKey: transfersQuery.queryKey }), refreshList(client)])
}

/**
 * Every offer and its answer is a message, so a change of the unread count means that the query is out of
 * date.
 */
export function useMessageSync(queryKey: QueryKey): void {
  const client = useQueryClient()
  const refresh = useEffectEvent(() => void client.invalidateQueries({ queryKey }))
  useEffect(() => {
    const ends = [push.on('unread', () => refresh()), push.on('missed', () => refresh())]
    return () => {
      for (const end of ends) end()
    }
  }, [])
}
