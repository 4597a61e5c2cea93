import { getPreferences, updatePreferences } from '../../shared/session/preferences.ts'
import { type MessageSearch, type ShownMessageTab, shownMessageTabs } from './search.ts'

/** The tab that the message centre opens with: that of its address, otherwise the one opened last. */
export function withMessageTab(
  search: MessageSearch,
  last = getPreferences().messageTab,
): MessageSearch & { tab: ShownMessageTab } {
  const known = shownMessageTabs.find((tab) => tab === last)
  return { ...search, tab: search.tab ?? (search.message === undefined ? known : undefined) ?? 'inbox' }
}

/** Remembers the open tab. */
export function rememberMessageTab(tab: ShownMessageTab): void {
  if (getPreferences().messageTab !== tab) updatePreferences({ messageTab: tab })
}
