import { messages } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { unreadQuery } from '../../app/account-queries.ts'
import { Badge } from '../../app/badge.tsx'
import { useText } from '../../i18n/index.ts'
import css from '../../ui/tab-row.module.css'
import { useChosenInSight } from '../../ui/use-chosen-in-sight.ts'

/** The five kinds of messages, each with how many of it are unread. */
export function MessageTabs({ tab }: { tab: messages.MessageTab }) {
  const t = useText().messages
  const { data } = useQuery(unreadQuery)
  const row = useRef<HTMLElement>(null)
  useChosenInSight(row, tab)
  return (
    <nav ref={row} className={`${css.row} fades`} aria-label={t.tabs.label}>
      {messages.messageTabs.map((each) => {
        const unread = data?.byScene[each] ?? 0
        return (
          <Link
            key={each}
            to="/msgCenter"
            search={each === 'inbox' ? {} : { tab: each }}
            replace
            className={css.tab}
            activeProps={{}}
            // Else the inbox, which asks for nothing, would be part of every other tab.
            activeOptions={{ exact: true }}
            aria-current={each === tab ? 'page' : undefined}
            aria-label={unread > 0 ? t.tabUnread(t.tabs[each], unread) : undefined}
          >
            {t.tabs[each]}
            <Badge count={unread} />
          </Link>
        )
      })}
    </nav>
  )
}
