import { redirect } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { unreadQuery } from '../../shared/session/account-queries.ts'
import { onlyKnown } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import type { MenuEntry } from '../../shared/ui/menu-entry.ts'
import { withMessageTab } from './message-tab.ts'
import { type MessageSearch, messageSearch } from './search.ts'

export const messagesScreen = {
  path: '/msgCenter',
  validateSearch: onlyKnown(messageSearch),
  beforeLoad: ({ search }: { search: MessageSearch }): void => {
    // The address always contains the open tab.
    if (search.tab) return
    const unread = queryClient.getQueryData(unreadQuery.queryKey)
    throw redirect({ to: '/msgCenter', search: withMessageTab(search, unread), replace: true })
  },
  component: lazyPart(() => import('./messages-page.tsx').then((module) => module.MessagesPage)),
} as const

export const messagesEntry: MenuEntry<'/msgCenter'> = {
  path: '/msgCenter',
  section: 'work',
  icon: 'mail',
  label: (t) => t.app.menu.entries.messages,
  shortLabel: (t) => t.app.menu.entries.messagesShort,
  countsUnread: true,
}
