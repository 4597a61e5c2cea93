import { operator, type RequestOf } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { chosenOf, rangeOf } from '../../shared/ui/table/filter.ts'
import type { TableAsk } from '../../shared/ui/table/use-table-view.ts'
import { type MeasuredOverview, withRates } from './overview-rates.ts'

const overviewEveryMs = 10_000
/** Rates need two looks: the second comes soon. */
const secondLookMs = 1_000
/**
 * The most rows of one page of answers that stays fast; fewer rows are a list that is whole, and sorted as
 * one.
 */
export const rowsPerPage = 100

/** The key with which all queries of the back office begin. */
export const operatorKey = ['operator'] as const

const overviewKey = [...operatorKey, 'overview'] as const

/** The figures of the platform, with rates since the previous answer. */
export const overviewQuery = queryOptions({
  queryKey: overviewKey,
  queryFn: async ({ client, signal }) =>
    withRates(
      await call(operator.getOverview, {}, { signal }),
      client.getQueryData<MeasuredOverview>(overviewKey),
    ),
  refetchInterval: ({ state }) => (state.data && !state.data.rates ? secondLookMs : overviewEveryMs),
})

const paging = ({ page, search }: TableAsk) => ({
  page,
  pageSize: rowsPerPage,
  ...(search ? { search } : {}),
})

/** The columns that the platform sorts a list by: the column here, and what the call names it. */
type Orders<Column extends string> = Readonly<Record<string, Column>>

/** The key of a request to the platform; columns that it cannot sort are sorted here, without another request. */
const keyOf = <Column extends string = never>(ask: TableAsk, orders: Orders<Column> = {}) => {
  const { page, search, filters } = ask
  return { page, search, filters, ...orderOf(ask, orders) }
}

function orderOf<Column extends string>({ sort }: TableAsk, orders: Orders<Column>) {
  const column = sort ? orders[sort.columnId] : undefined
  if (!sort || column === undefined) return {}
  return { sort: column, order: sort.isDescending ? ('desc' as const) : ('asc' as const) }
}

const userOrders: Orders<(typeof operator.userOrders)[number]> = {
  person: 'name',
  email: 'email',
  created: 'createdAt',
}
const enterpriseOrders: Orders<(typeof operator.enterpriseOrders)[number]> = {
  name: 'name',
  eid: 'createdAt',
  created: 'createdAt',
}
const machineOrders: Orders<(typeof operator.machineOrders)[number]> = {
  machine: 'name',
  code: 'code',
  type: 'type',
  seen: 'lastSeenAt',
  created: 'createdAt',
}
const scadaOrders: Orders<(typeof operator.scadaOrders)[number]> = { company: 'company', clock: 'createdAt' }
const atOrder: Orders<'at'> = { at: 'at' }

/** The filter of a list that narrows it to one kind of its rows. */
export const onlyId = 'only'

const onlyOf = <T extends string>({ filters }: TableAsk): { only?: T } => {
  const only = chosenOf<T>(filters, onlyId)
  return only === undefined ? {} : { only }
}

export function usersQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'users', keyOf(ask, userOrders)],
    queryFn: ({ signal }) =>
      call(
        operator.listUsers,
        { ...paging(ask), ...orderOf(ask, userOrders), ...onlyOf<'locked' | 'operators'>(ask) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
}

export function enterprisesQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'enterprises', keyOf(ask, enterpriseOrders)],
    queryFn: ({ signal }) =>
      call(operator.listEnterprises, { ...paging(ask), ...orderOf(ask, enterpriseOrders) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function machinesQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'machines', keyOf(ask, machineOrders)],
    queryFn: ({ signal }) =>
      call(
        operator.listMachines,
        { ...paging(ask), ...orderOf(ask, machineOrders), ...onlyOf<'unowned' | 'neverSeen'>(ask) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
}

export function scadaQuery(ask: TableAsk) {
  return queryOptions({
    queryKey: [...operatorKey, 'scada', keyOf(ask, scadaOrders)],
    queryFn: ({ signal }) =>
      call(
        operator.listScadaRequests,
        { ...paging(ask), ...orderOf(ask, scadaOrders), ...onlyOf<'open' | 'answered'>(ask) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
}

/** `userId`: only what went to an account of this person. */
export function outgoingQuery(ask: TableAsk, userId?: number) {
  return queryOptions({
    queryKey: [...operatorKey, 'outbox', keyOf(ask, atOrder), userId],
    queryFn: ({ signal }) =>
      call(
        operator.listOutgoing,
        {
          ...paging(ask),
          ...orderOf(ask, atOrder),
          kind: chosenOf<'sms' | 'email'>(ask.filters, onlyId),
          userId,
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    // People open this list for a code that was just sent.
    staleTime: 0,
  })
}

/** The person, machine or enterprise that a list of audit entries is about; empty for all entries. */
export type AuditSubject = Pick<
  RequestOf<typeof operator.listAudit>,
  'aboutUserId' | 'aboutMachineId' | 'aboutEid'
>

export function auditQuery(ask: TableAsk, about: AuditSubject = {}) {
  return queryOptions({
    queryKey: [...operatorKey, 'audit', keyOf(ask, atOrder), about],
    queryFn: ({ signal }) =>
      call(
        operator.listAudit,
        {
          ...paging(ask),
          ...orderOf(ask, atOrder),
          ...about,
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

/** Brands to choose from. */
export const everyBrandQuery = queryOptions({
  queryKey: [...operatorKey, 'brands', 'every'],
  queryFn: ({ signal }) => call(operator.listBrands, { page: 1, pageSize: 200, only: 'used' }, { signal }),
})

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

/** The key with which all pages of facts set aside begin. */
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
