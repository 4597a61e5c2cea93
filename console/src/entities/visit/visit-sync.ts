import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { push } from '../../shared/api/live.ts'
import type { MachineStateEvent, VisitEvent } from '../../shared/api/push-messages.ts'
import { createStore } from '../../shared/api/store.ts'
import { roleQuery } from '../access/access-queries.ts'
import { findMyId, liveKey, myVisitsQuery } from './visit-queries.ts'
import { applyVisitEvent, type LiveVisit, type LiveVisits } from './visit-state.ts'

/** A visit of the caller that another cause ended. */
export interface EndedVisit {
  readonly visit: LiveVisit
  readonly reason: VisitEvent['reason']
}

/** More would fill the screen; the newest matter most. */
const endedShownMax = 3

/** Shown until it is read: the visitor may be looking at another tab. */
export const endedVisits = createStore<readonly EndedVisit[]>([])

export function dismissEnded(sessionId: number): void {
  endedVisits.set(endedVisits.get().filter(({ visit }) => visit.sessionId !== sessionId))
}

/** Visits that this tab ended: the person pressed the button and needs no notice. */
const endedHere = new Set<number>()

export function noteEndedHere(sessionId: number): void {
  endedHere.add(sessionId)
}

/** Keeps every list of visits in the cache up to date, and reports the caller's visits that ended. */
export function useVisitSync(): void {
  const client = useQueryClient()
  useEffect(() => {
    const ends = [
      push.on('visit', (event) => applyToCache(client, event)),
      push.on('machineState', (event) => refreshRole(client, event)),
      push.on(
        'writeResult',
        ({ machineId }) => void client.invalidateQueries({ queryKey: ['visits', 'writes', machineId] }),
      ),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [client])
}

/** The actions on a visit depend on the caller's role, which is queried again if it changed. */
function refreshRole(client: QueryClient, event: MachineStateEvent): void {
  const { queryKey } = roleQuery(event.machineId)
  const known = client.getQueryData(queryKey)
  if (known && (known.level !== event.limitAuthority || known.readOnly !== event.readOnly))
    void client.invalidateQueries({ queryKey })
}

function applyToCache(client: QueryClient, event: VisitEvent): void {
  const { sessionId, machineId, ended, reason } = event
  if (ended) showEnded(client, event)
  const myId = findMyId(client)
  for (const queryKey of [myVisitsQuery.queryKey, [...liveKey, machineId]]) {
    const state = client.getQueryData<LiveVisits>(queryKey)
    if (!state) continue
    const isUnknown = !ended && !state.visits.some((visit) => visit.sessionId === sessionId)
    client.setQueryData<LiveVisits>(queryKey, applyVisitEvent(state, event, myId))
    // The push contains neither the machine's name nor the start, so a new visit is queried once.
    const isMine = event.userId === myId || myId === undefined
    if (isUnknown && (isMine || queryKey !== myVisitsQuery.queryKey))
      void client.invalidateQueries({ queryKey })
  }
  if (ended && reason !== 'replaced')
    void client.invalidateQueries({ queryKey: ['visits', 'history', machineId] })
}

function showEnded(client: QueryClient, { sessionId, reason }: VisitEvent): void {
  const mine = client
    .getQueryData(myVisitsQuery.queryKey)
    ?.visits.find((visit) => visit.me && visit.sessionId === sessionId)
  if (!mine || endedHere.delete(sessionId) || reason === 'left' || reason === 'signedOut') return
  // One line a machine: visits of several of its pages end together.
  const others = endedVisits.get().filter(({ visit }) => visit.machineId !== mine.machineId)
  endedVisits.set([...others, { visit: mine, reason }].slice(-endedShownMax))
}
