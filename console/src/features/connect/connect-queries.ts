import { onboarding } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

export function onboardingLimitQuery(eid: number | undefined) {
  return queryOptions({
    queryKey: ['onboarding', 'limit', eid ?? 0],
    queryFn: ({ signal }) =>
      call(onboarding.getOnboarding, eid === undefined ? {} : { eid }, { signal, noNotice: true }),
  })
}

/** While the page waits; the push tells it sooner that a machine signed in, but not that a script fetched the secret. */
const waitingMs = 3_000

export function setupQuery(machineId: number) {
  return queryOptions({
    queryKey: ['onboarding', machineId],
    queryFn: ({ signal }) => call(onboarding.getSetup, { machineId }, { signal, noNotice: true }),
    refetchInterval: ({ state }) => (state.data?.connectedAt ? false : waitingMs),
  })
}
