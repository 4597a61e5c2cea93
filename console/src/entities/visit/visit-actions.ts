import { ApiError, access, visits } from '@busbar/contract'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getText } from '../../shared/i18n/index.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { accessKey } from '../access/access-queries.ts'
import { liveKey } from './visit-queries.ts'
import type { LiveVisit, LiveVisits } from './visit-state.ts'
import { noteEndedHere } from './visit-sync.ts'

type Visit = Pick<LiveVisit, 'sessionId' | 'machineId'>

/** Changes every cached list; the push confirms it a moment later. */
function updateLive(client: QueryClient, change: (state: LiveVisits) => LiveVisits): void {
  client.setQueriesData<LiveVisits>({ queryKey: liveKey }, (state) => state && change(state))
}

/** Changes the cached data of one visit. */
export function updateVisit(client: QueryClient, sessionId: number, change: Partial<LiveVisit>): void {
  updateLive(client, (state) => ({
    ...state,
    visits: state.visits.map((visit) => (visit.sessionId === sessionId ? { ...visit, ...change } : visit)),
  }))
}

function removeVisit(client: QueryClient, sessionId: number): void {
  updateLive(client, (state) => ({
    ...state,
    visits: state.visits.filter((visit) => visit.sessionId !== sessionId),
  }))
}

/** A visit unknown to the platform is over; other failures are shown in the platform's words, except by a form. */
function showFailure(client: QueryClient, error: Error, { sessionId }: Visit, inForm = false): void {
  if (!(error instanceof ApiError)) return
  if (error.is('404')) removeVisit(client, sessionId)
  // All other failures were reported already, for the whole console.
  else if (error.http === 200 && !inForm) showToast(error.message, 'failure')
}

/** Ends a visit: the caller's own or, as a key, any. A form explains itself why it cannot be ended. */
export function useEndVisit({ inForm = false } = {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ sessionId, note }: Visit & { note?: string }) =>
      call(visits.endVisit, { sessionId, ...(note ? { reason: note } : {}) }),
    onMutate: ({ sessionId }) => noteEndedHere(sessionId),
    onSuccess: (_answer, { sessionId, machineId }) => {
      removeVisit(client, sessionId)
      void client.invalidateQueries({ queryKey: ['visits', 'history', machineId] })
    },
    onError: (error, visit) => showFailure(client, error, visit, inForm),
  })
}

/** Reports that the visitor is still there. */
export function useStay() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ sessionId }: Visit) => call(visits.extendVisit, { sessionId }),
    onSuccess: ({ until, idleAt }, { sessionId }) => updateVisit(client, sessionId, { until, idleAt }),
    onError: (error, visit) => showFailure(client, error, visit),
  })
}

/** Takes, requests, releases or hands over a machine's control, on behalf of the given visit. */
export function useControl() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ visit, action }: { visit: Visit; action: 'take' | 'release' | 'hand' | 'keep' }) =>
      call(visits.controlVisit, { sessionId: visit.sessionId, action }),
    onSuccess: ({ controller, asked }, { visit }) => {
      const { who, me, sessionId } = controller
      updateLive(client, (state) => ({
        visits: state.visits.map((one) =>
          one.machineId !== visit.machineId
            ? one
            : {
                ...one,
                controls: one.sessionId === sessionId,
                asks: one.sessionId === visit.sessionId ? asked : one.asks,
                // Either button ends the countdown of this visit.
                releaseAt: one.sessionId === visit.sessionId ? null : one.releaseAt,
              },
        ),
        controllers: { ...state.controllers, [visit.machineId]: { who, me, sessionId } },
      }))
    },
    onError: (error, { visit }) => {
      // The caller offers the remedies.
      if (error instanceof ApiError && error.is('READ_ONLY')) return
      showFailure(client, error, visit)
    },
  })
}

/** Gives a visitor who may only watch read and write, then the controller. */
export function useGrantAndHand() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ visit }: { visit: LiveVisit }) => {
      await call(access.setReadOnly, { machineID: visit.machineId, userID: visit.userId, limitRead: 0 })
      return call(visits.controlVisit, { sessionId: visit.sessionId, action: 'hand' })
    },
    onSuccess: (_answer, { visit }) => showToast(getText().visits.asks.given(visit.user)),
    onError: (error, { visit }) => showFailure(client, error, visit),
    onSettled: (_answer, _error, { visit }) => {
      void client.invalidateQueries({ queryKey: accessKey(visit.machineId) })
      void client.invalidateQueries({ queryKey: [...liveKey, visit.machineId] })
    },
  })
}
