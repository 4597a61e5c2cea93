import { messages } from '@busbar/contract'
import type { Unread } from '../../shared/session/account-queries.ts'
import { getPreferences, updatePreferences } from '../../shared/session/preferences.ts'
import type { MessageSearch } from './search.ts'

/**
 * The tab that the message centre opens with: that of its address, otherwise one with unread messages, or the
 * inbox while a message needs an answer. If several have unread messages, or none has, the one opened last.
 */
export function withMessageTab(
  search: MessageSearch,
  unread?: Unread,
  last = getPreferences().messageTab,
): MessageSearch & { tab: messages.MessageTab } {
  const { tab, message } = search
  const open = tab ?? (message === undefined ? tabToOpen(unread, last) : undefined) ?? 'inbox'
  return { ...search, tab: open }
}

function tabToOpen(unread: Unread | undefined, last: string | undefined): messages.MessageTab | undefined {
  const known = messages.messageTabs.find((tab) => tab === last)
  const waiting = messages.messageTabs.filter((tab) => (unread?.byScene[tab] ?? 0) > 0)
  if (waiting.length === 0 && unread && unread.toAnswer > 0) return 'inbox'
  return waiting.find((tab) => tab === known) ?? waiting[0] ?? known
}

/** Remembers the open tab. */
export function rememberMessageTab(tab: messages.MessageTab): void {
  if (getPreferences().messageTab !== tab) updatePreferences({ messageTab: tab })
}
