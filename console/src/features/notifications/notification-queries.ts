import { notifications } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'

export type UserMsgConfig = notifications.UserMsgConfig
export type MachineMsgConfig = notifications.MachineMsgConfig

type Asked = PageSpace['asked']

/** The key with which all queries of notifications begin. */
export const notificationsKey = ['notifications'] as const
/** Of every list of this page. */
export const paging = { under: notificationsKey, size: 50 }

const part = (name: string, { eid = 0 }: Asked) => [...notificationsKey, name, eid] as const

/** The caller's settings: in their personal space, or with what an enterprise allocated to them. */
export function userConfigQuery(asked: Asked) {
  return queryOptions({
    queryKey: part('user', asked),
    queryFn: ({ signal }) => call(notifications.getUserMsgConfig, asked, { signal, noNotice: true }),
  })
}

/** The ways by which alarms reach the caller now. */
export function alarmWaysQuery(asked: Asked) {
  return queryOptions({
    queryKey: part('ways', asked),
    queryFn: ({ signal }) => call(notifications.getAlarmWays, asked, { signal, noNotice: true }),
  })
}

export function enterpriseConfigQuery(eid: number) {
  return queryOptions({
    queryKey: part('enterprise', { eid }),
    queryFn: ({ signal }) => call(notifications.getEnterpriseMsgConfig, { eid }, { signal, noNotice: true }),
  })
}
