import { accounts } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Terminals per page (seed, section 9). */
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

/** The lifetime of sessions, and whether sign-ins on new terminals are reported. */
export const safetySettingsQuery = queryOptions({
  queryKey: ['safety', 'settings'],
  queryFn: ({ signal }) => call(accounts.updateSafety, {}, { signal }),
})

/** Entries of the security log per page. */
export const logEntriesPerPage = 20

/** A page of the account's security log, newest first, counted from 1. */
export function securityLogQuery(page: number) {
  return queryOptions({
    queryKey: ['safety', 'log', page],
    queryFn: ({ signal }) => call(accounts.listOwnAudit, { page, pageSize: logEntriesPerPage }, { signal }),
    placeholderData: keepPreviousData,
  })
}
