import { type AnswerOf, notifications, type RequestOf, smsStock } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { chosenOf, rangeOf } from '../../shared/ui/table/filter.ts'
import type { TableAsk } from '../../shared/ui/table/use-table-view.ts'

export type UserMsgConfig = notifications.UserMsgConfig
export type MachineMsgConfig = notifications.MachineMsgConfig
export type SendRecord = notifications.SmsRecord
export type MailRecord = notifications.EmailRecord
export type SaleRow = smsStock.SaleRow
export type MemberStockRow = smsStock.AllocationRow
export type Allocation = AnswerOf<typeof smsStock.listAllocations>['list'][number]

type Asked = PageSpace['asked']

/** The key with which all queries of notifications begin. */
export const notificationsKey = ['notifications'] as const
export const rowsPerPage = 50

const paging = ({ page }: TableAsk) => ({ page, pageSize: rowsPerPage })

/** The calls take a span of time under these names. */
function spanOf({ filters }: TableAsk): { startTime?: number; endTime?: number } {
  const { from, to } = rangeOf(filters, 'at')
  return { ...(from === undefined ? {} : { startTime: from }), ...(to === undefined ? {} : { endTime: to }) }
}

const part = <Wish>(name: string, asked: Asked, wish: Wish) =>
  [...notificationsKey, name, asked.eid ?? 0, wish] as const

/** The caller's settings: in their personal space, or with what an enterprise allocated to them. */
export function userConfigQuery(asked: Asked) {
  return queryOptions({
    queryKey: part('user', asked, null),
    queryFn: ({ signal }) => call(notifications.getUserMsgConfig, asked, { signal, noNotice: true }),
  })
}

export function enterpriseConfigQuery(eid: number) {
  return queryOptions({
    queryKey: part('enterprise', { eid }, null),
    queryFn: ({ signal }) => call(notifications.getEnterpriseMsgConfig, { eid }, { signal, noNotice: true }),
  })
}

export function deviceSettingsQuery({ eid }: Asked, ask: TableAsk) {
  const wish = { ...paging(ask), ...(ask.search ? { blur: ask.search } : {}) }
  return queryOptions({
    queryKey: part('devices', { eid: eid ?? 0 }, wish),
    queryFn: ({ signal }) =>
      eid === undefined
        ? call(notifications.listPersonalMachine, wish, { signal, noNotice: true })
        : call(notifications.listEnterpriseMachine, { ...wish, eid }, { signal, noNotice: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function smsRecordsQuery({ eid }: Asked, ask: TableAsk) {
  const wish = { ...paging(ask), ...spanOf(ask) }
  return queryOptions({
    queryKey: part('sms', { eid: eid ?? 0 }, wish),
    queryFn: ({ signal }) =>
      eid === undefined
        ? call(notifications.listSmsRecords, wish, { signal, noNotice: true })
        : call(notifications.listEnterpriseSmsRecords, { ...wish, eid }, { signal, noNotice: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function emailRecordsQuery({ eid }: Asked, ask: TableAsk) {
  const wish = { ...paging(ask), ...spanOf(ask) }
  return queryOptions({
    queryKey: part('email', { eid: eid ?? 0 }, wish),
    queryFn: ({ signal }) =>
      eid === undefined
        ? call(notifications.listEmailRecords, wish, { signal, noNotice: true })
        : call(notifications.listEnterpriseEmailRecords, { ...wish, eid }, { signal, noNotice: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function salesQuery(asked: Asked, ask: TableAsk) {
  const wish = { ...asked, ...paging(ask) }
  return queryOptions({
    queryKey: part('sales', asked, wish),
    queryFn: ({ signal }) => call(smsStock.listSales, wish, { signal, noNotice: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function memberStocksQuery(eid: number, ask: TableAsk) {
  const wish = { eid, ...paging(ask), ...(ask.search ? { search: ask.search } : {}) }
  return queryOptions({
    queryKey: part('members', { eid }, wish),
    queryFn: ({ signal }) => call(smsStock.listMemberStocks, wish, { signal, noNotice: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

type AllocationWish = RequestOf<typeof smsStock.listAllocations>

export function allocationsQuery(eid: number, ask: TableAsk) {
  const operate = chosenOf<smsStock.AllocationAct>(ask.filters, 'operate')
  const wish: AllocationWish = { eid, ...paging(ask), ...spanOf(ask), ...(operate ? { operate } : {}) }
  return queryOptions({
    queryKey: part('allocations', { eid }, wish),
    queryFn: ({ signal }) => call(smsStock.listAllocations, wish, { signal, noNotice: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
