import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import type { RawSearch } from '../../shared/session/search.ts'

export const notificationParts = ['sms', 'email', 'escalation', 'settings'] as const
export type NotificationPart = (typeof notificationParts)[number]

/** The lists of the part SMS; the last two are of an enterprise. */
export const smsLists = ['devices', 'sent', 'sales', 'members', 'allocations'] as const
export type SmsList = (typeof smsLists)[number]

/** The parts of the notifications page. */
export interface NotificationsSearch extends PageSpaceSearch {
  part?: NotificationPart
  list?: SmsList
}

export function notificationsSearch(raw: RawSearch): NotificationsSearch {
  const part = notificationParts.find((known) => known === raw.part)
  const list = smsLists.find((known) => known === raw.list)
  return { ...pageSpaceSearch(raw), ...(part ? { part } : {}), ...(list ? { list } : {}) }
}
