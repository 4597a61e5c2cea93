import { ApiError, applications, visits } from '@busbar/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { messageKey, messageListKey, unreadQuery } from '../../shared/session/account-queries.ts'
import { getTerminalId } from '../../shared/session/session.ts'

/** The key with which all queries of applications begin. */
export const applicationsKey = ['applications'] as const

/** The steps of an application, in order. */
export function applicationStepsQuery(applyId: number) {
  return queryOptions({
    queryKey: [...applicationsKey, 'steps', applyId],
    queryFn: ({ signal }) => call(applications.listApplicationSteps, { applyId }, { signal, noNotice: true }),
  })
}

/** The caller's next step towards access to a machine; null if the platform does not name one. */
export function nextStepQuery(machineId: number) {
  return queryOptions({
    queryKey: [...applicationsKey, 'next', machineId],
    queryFn: ({ signal }) => findNextStep(machineId, signal),
    staleTime: 0,
  })
}

async function findNextStep(machineID: number, signal: AbortSignal): Promise<applications.NextStep | null> {
  try {
    const wish = { machineID, terminalID: getTerminalId() }
    return (await call(visits.checkVisit, wish, { signal, noNotice: true })).next
  } catch (error) {
    const next =
      error instanceof ApiError && (error.data as Partial<applications.EntryDenial> | undefined)?.next
    return applications.nextSteps.find((step) => step === next) ?? null
  }
}

/**
 * Reloads everything that shows an application of this machine: messages, the administration of its keys, and
 * the state in the caller's list.
 */
export async function refreshApplications(client: QueryClient, machineId: number): Promise<void> {
  const queryKeys = [
    applicationsKey,
    messageListKey,
    messageKey,
    unreadQuery.queryKey,
    ['access', machineId],
    ['role', machineId],
    ['machines', 'list'],
  ]
  await Promise.all(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey })))
}
