import { operator } from '@busbar/contract'
import { keepPreviousData, queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { TableAsk } from '../../shared/ui/table/use-table-view.ts'
import { operatorKey, rowsPerPage } from './operator-queries.ts'

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: [...operatorKey, 'user', id],
    queryFn: ({ signal }) => call(operator.getUser, { id }, { signal, noNotice: true }),
  })

export const machineQuery = (id: number) =>
  queryOptions({
    queryKey: [...operatorKey, 'machine', id],
    queryFn: ({ signal }) => call(operator.getMachine, { id }, { signal, noNotice: true }),
  })

export const enterpriseQuery = (eid: number) =>
  queryOptions({
    queryKey: [...operatorKey, 'enterprise', eid],
    queryFn: ({ signal }) => call(operator.getEnterprise, { eid }, { signal, noNotice: true }),
  })

interface Paged<Row> {
  list: Row[]
  total: number
  page: number
  pageSize: number
}

/** A list of a page: `load` requests one part of it. */
const listOf =
  <Row>(
    key: readonly (string | number)[],
    load: (page: { page: number; pageSize: number }, signal: AbortSignal) => Promise<Paged<Row>>,
  ) =>
  ({ page }: TableAsk): UseQueryOptions<Paged<Row>, Error, Paged<Row>, readonly (string | number)[]> => ({
    queryKey: [...operatorKey, ...key, page],
    queryFn: ({ signal }) => load({ page, pageSize: rowsPerPage }, signal),
    placeholderData: keepPreviousData,
  })

export const userMachinesQuery = (id: number) =>
  listOf(['userMachines', id], (page, signal) => call(operator.listUserMachines, { id, ...page }, { signal }))

export const userEnterprisesQuery = (id: number) =>
  listOf(['userEnterprises', id], (page, signal) =>
    call(operator.listUserEnterprises, { id, ...page }, { signal }),
  )

export const userSessionsQuery = (id: number) =>
  listOf(['userSessions', id], (page, signal) => call(operator.listUserSessions, { id, ...page }, { signal }))

export const userVisitsQuery = (id: number) =>
  listOf(['userVisits', id], (page, signal) => call(operator.listUserVisits, { id, ...page }, { signal }))

export const machineVisitsQuery = (id: number) =>
  listOf(['machineVisits', id], (page, signal) =>
    call(operator.listMachineVisits, { id, ...page }, { signal }),
  )

export const holdersQuery = (id: number) =>
  listOf(['holders', id], (page, signal) => call(operator.listMachineHolders, { id, ...page }, { signal }))

export const membersQuery = (eid: number) =>
  listOf(['members', eid], (page, signal) =>
    call(operator.listEnterpriseMembers, { eid, ...page }, { signal }),
  )

export const enterpriseMachinesQuery = (eid: number) =>
  listOf(['enterpriseMachines', eid], (page, signal) =>
    call(operator.listEnterpriseMachines, { eid, ...page }, { signal }),
  )
