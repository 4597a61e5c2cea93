import { accounts } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

/** Terminals shown at once (seed, section 9). */
export const terminalsPerPage = 20

export const terminalsKey = ['terminals'] as const

/** A page of the terminals signed in, counted from 1. */
export function terminalsQuery(page: number) {
  return queryOptions({
    queryKey: [...terminalsKey, page],
    queryFn: ({ signal }) => call(accounts.listTerminals, { page, pageSize: terminalsPerPage }, { signal }),
    placeholderData: keepPreviousData,
  })
}
