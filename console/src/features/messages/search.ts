import type { messages } from '@busbar/contract'
import { isYes, parseId, parseText, type RawSearch } from '../../shared/session/search.ts'

/** The tabs of the message centre. Alarms of projects are not delivered as messages. */
export const shownMessageTabs = [
  'inbox',
  'sent',
  'alarm',
  'device',
] as const satisfies readonly messages.MessageTab[]
export type ShownMessageTab = (typeof shownMessageTabs)[number]

/** The open parts of the message centre. */
export interface MessageSearch {
  /** Left out: the tab opened last. */
  tab?: ShownMessageTab
  unread?: true
  /** Only messages that need an answer; of the inbox. */
  asks?: true
  q?: string
  /** Counted from 1. */
  page?: number
  /** Id of the message in the pane. */
  message?: number
}

export function messageSearch(raw: RawSearch): MessageSearch {
  // A link to a hidden tab opens the inbox and not the tab opened last.
  const tab = shownMessageTabs.find((known) => known === raw.tab) ?? (raw.tab ? 'inbox' : undefined)
  const q = parseText(raw.q)
  const [page, message] = [parseId(raw.page), parseId(raw.message)]
  return {
    ...(tab ? { tab } : {}),
    ...(isYes(raw.asks) ? { asks: true } : isYes(raw.unread) ? { unread: true } : {}),
    ...(q ? { q } : {}),
    ...(page ? { page } : {}),
    ...(message ? { message } : {}),
  }
}
