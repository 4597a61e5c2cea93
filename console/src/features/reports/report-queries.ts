import { type Lang, reports } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'

export type Report = reports.Report
export type ReportRow = reports.ReportRow
export type ReportRun = reports.ReportRun

/** The key with which all queries of reports begin. */
export const reportsKey = ['reports'] as const
/** While a report is made, its runs are polled at this interval. */
const makingMs = 2_000

const isOpen = ({ state }: { readonly state: reports.ReportRunState }) =>
  state === 'waiting' || state === 'making'

export function reportListQuery(asked: PageSpace['asked']) {
  return queryOptions({
    queryKey: [...reportsKey, 'list', asked],
    queryFn: ({ signal }) => call(reports.listReports, asked, { signal, noNotice: true }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ lastRun }) => lastRun && isOpen(lastRun)) ? makingMs : false,
  })
}

export function reportQuery(id: number) {
  return queryOptions({
    queryKey: [...reportsKey, 'one', id],
    queryFn: ({ signal }) => call(reports.getReport, { id }, { signal, noNotice: true }),
    staleTime: 0,
    retry: false,
  })
}

export function reportRunsQuery(id: number, lang: Lang) {
  return queryOptions({
    queryKey: [...reportsKey, 'runs', id, lang],
    queryFn: ({ signal }) => call(reports.listReportRuns, { id }, { signal, noNotice: true }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.some(isOpen) ? makingMs : false),
  })
}

/** The people to whom a report about some devices can be sent. */
export function recipientsQuery(asked: PageSpace['asked'], machineIds: readonly number[]) {
  return queryOptions({
    queryKey: [...reportsKey, 'recipients', asked, machineIds],
    queryFn: ({ signal }) =>
      call(
        reports.listReportRecipients,
        { ...asked, machineIds: [...machineIds] },
        { signal, noNotice: true },
      ),
    placeholderData: keepPreviousData,
  })
}
