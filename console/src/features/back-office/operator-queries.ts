import { operator } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

const overviewEveryMs = 10_000
export const rowsPerPage = 50

/** Everything of the back office begins with this key. */
export const operatorKey = ['operator'] as const

export const overviewQuery = queryOptions({
  queryKey: [...operatorKey, 'overview'],
  queryFn: ({ signal }) => call(operator.getOverview, {}, { signal }),
  refetchInterval: overviewEveryMs,
})

/** What is asked of a list: its page, what is searched, what it is narrowed to. */
export interface ListAsk<Only extends string = string> {
  readonly page: number
  readonly search: string
  readonly only: Only | undefined
}

const paging = ({ page, search }: ListAsk) => ({ page, pageSize: rowsPerPage, ...(search ? { search } : {}) })

export function usersQuery(ask: ListAsk<'locked' | 'operators'>) {
  return queryOptions({
    queryKey: [...operatorKey, 'users', ask],
    queryFn: ({ signal }) => call(operator.listUsers, { ...paging(ask), only: ask.only }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function enterprisesQuery(ask: ListAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'enterprises', ask],
    queryFn: ({ signal }) => call(operator.listEnterprises, paging(ask), { signal }),
    placeholderData: keepPreviousData,
  })
}

export function machinesQuery(ask: ListAsk<'unowned' | 'neverSeen'>) {
  return queryOptions({
    queryKey: [...operatorKey, 'machines', ask],
    queryFn: ({ signal }) => call(operator.listMachines, { ...paging(ask), only: ask.only }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function scadaQuery(ask: ListAsk<'open' | 'answered'>) {
  return queryOptions({
    queryKey: [...operatorKey, 'scada', ask],
    queryFn: ({ signal }) => call(operator.listScadaRequests, { ...paging(ask), only: ask.only }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function outgoingQuery(ask: ListAsk<'sms' | 'email'>) {
  return queryOptions({
    queryKey: [...operatorKey, 'outbox', ask],
    queryFn: ({ signal }) => call(operator.listOutgoing, { ...paging(ask), kind: ask.only }, { signal }),
    placeholderData: keepPreviousData,
    // A code that was just sent is what one comes for.
    staleTime: 0,
  })
}

export function auditQuery(ask: ListAsk<'ok' | 'refused'>) {
  return queryOptions({
    queryKey: [...operatorKey, 'audit', ask],
    queryFn: ({ signal }) => call(operator.listAudit, { ...paging(ask), result: ask.only }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function brandsQuery(ask: ListAsk<'used' | 'archived'>) {
  return queryOptions({
    queryKey: [...operatorKey, 'brands', ask],
    queryFn: ({ signal }) => call(operator.listBrands, { ...paging(ask), only: ask.only }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export type MachineTypeOrder = (typeof operator.machineTypeOrders)[number]

export const machineTypesQuery = (ask: ListAsk<'patterns' | 'overlaps'>, sort: MachineTypeOrder) =>
  queryOptions({
    queryKey: [...operatorKey, 'machineTypes', ask, sort],
    queryFn: ({ signal }) =>
      call(
        operator.listMachineTypes,
        { ...paging(ask), sort, ...(ask.only ? { only: ask.only } : {}) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })

/** The largest number of types, so that one page holds all. */
const everyType = 200

/** All of them, in the order they are tried. */
export const everyMachineTypeQuery = queryOptions({
  queryKey: [...operatorKey, 'machineTypes', 'every'],
  queryFn: ({ signal }) => call(operator.listMachineTypes, { pageSize: everyType }, { signal }),
})

const jobsEveryMs = 5_000

export const jobsOverviewQuery = queryOptions({
  queryKey: [...operatorKey, 'jobsOverview'],
  queryFn: ({ signal }) => call(operator.getJobsOverview, {}, { signal }),
  refetchInterval: jobsEveryMs,
})

export const factsSetAsideQuery = queryOptions({
  queryKey: [...operatorKey, 'factsSetAside'],
  queryFn: ({ signal }) => call(operator.listFactsSetAside, { pageSize: rowsPerPage }, { signal }),
  refetchInterval: jobsEveryMs,
})

export const jobsQuery = (ask: ListAsk<'waiting' | 'running' | 'failed'>) =>
  queryOptions({
    queryKey: [...operatorKey, 'jobs', ask],
    queryFn: ({ signal }) =>
      call(operator.listJobs, { ...paging(ask), ...(ask.only ? { only: ask.only } : {}) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: jobsEveryMs,
  })
