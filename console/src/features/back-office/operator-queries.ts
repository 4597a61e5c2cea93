import { operator } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { chosenOf, rangeOf } from '../../shared/ui/table/filter.ts'
import type { TableAsk } from '../../shared/ui/table/use-table-view.ts'

const overviewEveryMs = 10_000
/** As many as a page of answers may hold without being slow; fewer rows are a list that is whole, and sorted as one. */
const rowsPerPage = 100

/** Everything of the back office begins with this key. */
export const operatorKey = ['operator'] as const

export const overviewQuery = queryOptions({
  queryKey: [...operatorKey, 'overview'],
  queryFn: ({ signal }) => call(operator.getOverview, {}, { signal }),
  refetchInterval: overviewEveryMs,
})

const paging = ({ page, search }: TableAsk) => ({
  page,
  pageSize: rowsPerPage,
  ...(search ? { search } : {}),
})

/** The request to the platform, which sorts no list itself. */
const keyOf = ({ page, search, filters }: TableAsk) => ({ page, search, filters })

/** The filter of a list that narrows it to one kind of its rows. */
export const onlyId = 'only'

const onlyOf = <T extends string>({ filters }: TableAsk): { only?: T } => {
  const only = chosenOf<T>(filters, onlyId)
  return only === undefined ? {} : { only }
}

export function usersQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'users', keyOf(ask)],
    queryFn: ({ signal }) =>
      call(operator.listUsers, { ...paging(ask), ...onlyOf<'locked' | 'operators'>(ask) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function enterprisesQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'enterprises', keyOf(ask)],
    queryFn: ({ signal }) => call(operator.listEnterprises, paging(ask), { signal }),
    placeholderData: keepPreviousData,
  })
}

export function machinesQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'machines', keyOf(ask)],
    queryFn: ({ signal }) =>
      call(operator.listMachines, { ...paging(ask), ...onlyOf<'unowned' | 'neverSeen'>(ask) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function scadaQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'scada', keyOf(ask)],
    queryFn: ({ signal }) =>
      call(operator.listScadaRequests, { ...paging(ask), ...onlyOf<'open' | 'answered'>(ask) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function outgoingQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'outbox', keyOf(ask)],
    queryFn: ({ signal }) =>
      call(
        operator.listOutgoing,
        { ...paging(ask), kind: chosenOf<'sms' | 'email'>(ask.filters, onlyId) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    // A code that was just sent is what one comes for.
    staleTime: 0,
  })
}

export function auditQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'audit', keyOf(ask)],
    queryFn: ({ signal }) =>
      call(
        operator.listAudit,
        {
          ...paging(ask),
          ...rangeOf(ask.filters, 'at'),
          result: chosenOf<'ok' | 'refused'>(ask.filters, onlyId),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function brandsQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'brands', keyOf(ask)],
    queryFn: ({ signal }) =>
      call(operator.listBrands, { ...paging(ask), ...onlyOf<'used' | 'archived'>(ask) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** The largest number of types, so that one page holds all. */
const everyType = 200

/** One page holds every type, so that all of them are sorted together. */
export const machineTypesQuery = (ask: TableAsk) =>
  queryOptions({
    queryKey: [...operatorKey, 'machineTypes', keyOf(ask)],
    queryFn: ({ signal }) =>
      call(
        operator.listMachineTypes,
        { ...paging(ask), pageSize: everyType, ...onlyOf<'patterns' | 'overlaps'>(ask) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })

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

/** Every page of the facts that are set aside begins with this key. */
export const factsSetAsideKey = [...operatorKey, 'factsSetAside'] as const

export const factsSetAsideQuery = ({ page }: TableAsk) =>
  queryOptions({
    queryKey: [...factsSetAsideKey, page],
    queryFn: ({ signal }) => call(operator.listFactsSetAside, { page, pageSize: rowsPerPage }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: jobsEveryMs,
  })

export const jobsQuery = (ask: TableAsk) =>
  queryOptions({
    queryKey: [...operatorKey, 'jobs', keyOf(ask)],
    queryFn: ({ signal }) =>
      call(
        operator.listJobs,
        { ...paging(ask), ...onlyOf<'waiting' | 'running' | 'failed'>(ask) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: jobsEveryMs,
  })
