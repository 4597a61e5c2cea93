import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { unreadQuery } from '../../shared/session/account-queries.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import css from '../../shared/ui/tab-row.module.css'
import { useChosenInSight } from '../../shared/ui/use-chosen-in-sight.ts'
import { type ShownMessageTab, shownMessageTabs } from './search.ts'

/** The kinds of messages, each with its number of unread ones. */
export function MessageTabs({ tab }: { tab: ShownMessageTab }) {
  const t = useText().messages
  const { data } = useQuery(unreadQuery)
  const row = useRef<HTMLElement>(null)
  useChosenInSight(row, tab)
  return (
    <nav ref={row} className={`${css.row} fades`} aria-label={t.tabs.label}>
      {shownMessageTabs.map((each) => {
        const unread = data?.byScene[each] ?? 0
        return (
          <Link
            key={each}
            to="/msgCenter"
            search={{ tab: each }}
            replace
            className={css.tab}
            activeProps={{}}
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
