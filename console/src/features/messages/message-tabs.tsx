import { messages } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useText } from '../../shared/i18n/index.ts'
import { unreadQuery } from '../../shared/session/account-queries.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import { TabLinks, tabClass } from '../../shared/ui/tabs/tab-links.tsx'

/** The kinds of messages, each with its number of unread ones. */
export function MessageTabs({ tab }: { tab: messages.MessageTab }) {
  const t = useText().messages
  const { data } = useQuery(unreadQuery)
  return (
    <TabLinks label={t.tabs.label} chosen={tab}>
      {messages.messageTabs.map((each) => {
        const unread = data?.byScene[each] ?? 0
        return (
          <Link
            key={each}
            to="/msgCenter"
            search={{ tab: each }}
            replace
            className={tabClass}
            activeProps={{}}
            aria-current={each === tab ? 'page' : undefined}
            aria-label={unread > 0 ? t.tabUnread(t.tabs[each], unread) : undefined}
          >
            {t.tabs[each]}
            <Badge count={unread} />
          </Link>
        )
      })}
    </TabLinks>
  )
}
