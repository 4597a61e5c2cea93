import { messages } from '@busbar/contract'
import { isYes, parseId, parseText, type RawSearch } from '../../shared/session/search.ts'

/** The open parts of the message centre. */
export interface MessageSearch {
  /** Left out: the tab opened last. */
  tab?: messages.MessageTab
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
  // A link to an unknown tab opens the inbox and not the tab opened last.
  const tab = messages.messageTabs.find((known) => known === raw.tab) ?? (raw.tab ? 'inbox' : undefined)
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
