import { enterprises } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

/** Requests to the caller, and to the enterprises they manage, to take the devices of an enterprise. */
export const handoversQuery = queryOptions({
  queryKey: ['machines', 'handovers'],
  queryFn: ({ signal }) => call(enterprises.listHandovers, {}, { signal, noNotice: true }),
})

/** The request of an enterprise that its owner made, or none. */
export const handoverQuery = (eid: number) =>
  queryOptions({
    queryKey: ['enterprises', 'handover', eid],
    queryFn: async ({ signal }) =>
      (await call(enterprises.getHandover, { eid }, { signal, noNotice: true })).handover,
  })
