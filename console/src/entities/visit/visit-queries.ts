import { type Lang, machines, telemetry, visits } from '@busbar/contract'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { push } from '../../shared/api/live.ts'
import type { VisitEvent } from '../../shared/api/push-messages.ts'
import { type Person, personQuery } from '../../shared/session/account-queries.ts'
import { detailOf } from '../machine/machine.ts'
import { applyVisitEvent, fromListed, type LiveVisits, mergeListed } from './visit-state.ts'

/** More than can be open at a time. */
const liveVisitsMax = 200
/** Past visits per page, beside the list. */
export const rowsPerPage = 10
/** The number of bytes is not pushed. */
const bytesRefreshMs = 30_000
/** The last values of a visit come some seconds after its end. */
const settlingRefreshMs = 3_000

export const liveKey = ['visits', 'live'] as const

/** The caller's open visits, continued by the push. */
export const myVisitsQuery = queryOptions({
  queryKey: [...liveKey, 'mine'],
  queryFn: async ({ client, queryKey, signal }) => {
    const listed = await listLive(client, { live: true }, signal)
    return mergeListed(client.getQueryData<LiveVisits>(queryKey), listed)
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Visits under way of one machine: its keys see all, others their own. */
export function machineVisitsQuery(machineId: number) {
  return queryOptions({
    queryKey: [...liveKey, machineId],
    queryFn: ({ client, signal }) => listLive(client, { machineId, live: true }, signal),
    refetchInterval: ({ state }) => (state.data?.visits.length ? bytesRefreshMs : false),
  })
}

/** Changes pushed while a call is running survive its answer. */
async function listLive(
  client: QueryClient,
  request: { machineId?: number; live: true },
  signal: AbortSignal,
): Promise<LiveVisits> {
  const meanwhile: VisitEvent[] = []
  const leave = push.on('visit', (event) => {
    if (request.machineId === undefined || event.machineId === request.machineId) meanwhile.push(event)
  })
  try {
    const { list } = await call(visits.listVisits, { ...request, pageSize: liveVisitsMax }, { signal })
    return meanwhile.reduce(
      (state, event) => applyVisitEvent(state, event, findMyId(client)),
      fromListed(list),
    )
  } finally {
    leave()
  }
}

/** The signed-in person's id, once it is known. */
export function findMyId(client: QueryClient): number | undefined {
  return client.getQueryData<Person>(personQuery.queryKey)?.userid
}

/** The filter of past visits. */
export interface VisitFilter {
  readonly machineId: number
  readonly from?: number
  readonly to?: number
  readonly who?: string
}

export function visitHistoryQuery(visitFilter: VisitFilter, page: number) {
  return queryOptions({
    queryKey: ['visits', 'history', visitFilter.machineId, visitFilter, page],
    queryFn: ({ signal }) =>
      call(visits.listVisits, { ...visitFilter, live: false, page, pageSize: rowsPerPage }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** The values that a visit changed; asked again while they may change. */
export function visitChangesQuery(machineId: number, sessionId: number) {
  return queryOptions({
    queryKey: ['visits', 'changes', machineId, sessionId],
    queryFn: ({ signal }) => call(visits.getVisitChanges, { sessionId }, { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'settling') return settlingRefreshMs
      return data?.state === 'open' && bytesRefreshMs
    },
    staleTime: 0,
  })
}

export function visitReportQuery(machineId: number, span: { from: number; to: number }) {
  return queryOptions({
    queryKey: ['visits', 'report', machineId, span],
    queryFn: ({ signal }) => call(visits.getVisitReport, { machineId, ...span }, { signal, noNotice: true }),
    retry: false,
    staleTime: 0,
  })
}

export function machineWritesQuery(machineId: number, page: number) {
  return queryOptions({
    queryKey: ['visits', 'writes', machineId, page],
    queryFn: ({ signal }) =>
      call(visits.listMachineWrites, { machineId, page, pageSize: rowsPerPage }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** The pages a machine offers. */
export function targetsQuery(machineId: number) {
  return queryOptions({
    queryKey: ['visits', 'targets', machineId],
    queryFn: ({ signal }) => call(visits.listTargets, { machineId }, { signal }),
  })
}

/** A machine's entry in the caller's list; fails quietly if it is not in it. */
export function listedMachineQuery(machineId: number, lang: Lang) {
  return queryOptions({
    queryKey: ['machines', machineId, 'listed', lang],
    queryFn: async ({ signal }) => {
      const answer = await call(machines.getMachineDetail, { machineID: machineId }, { signal, silent: true })
      const { name, code, type, online } = detailOf(answer)
      return { name, code, type, online }
    },
    retry: false,
  })
}

/** Writes a set-point; its result is pushed. */
export function writeTag(machineId: number, tagId: number, value: boolean | number | string) {
  return call(telemetry.writeTag, { machineId, tagId, value })
}
