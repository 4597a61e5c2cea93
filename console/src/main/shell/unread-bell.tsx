import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { shownMessageTabs } from '../../features/messages/search.ts'
import { useText } from '../../shared/i18n/language.ts'
import { unreadQuery } from '../../shared/session/account-queries.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import { IconButton } from '../../shared/ui/button.tsx'
import { Popover } from '../../shared/ui/popover/popover.tsx'
import css from './unread-bell.module.css'

/** How many messages wait, of what kind, and the way to them. */
export function UnreadBell() {
  const { header, unread: kinds } = useText().app
  const { data } = useQuery(unreadQuery)
  const total = data?.totalUnreadMsg ?? 0
  const waiting = shownMessageTabs.filter((tab) => (data?.byScene[tab] ?? 0) > 0)
  return (
    <Popover
      placement="bottom end"
      label={header.unread(total)}
      className={css.panel}
      trigger={
        <IconButton icon="bell" label={header.unread(total)}>
          <Badge count={total} corner />
        </IconButton>
      }
    >
      {(close) => (
        <>
          <p className={css.title}>{kinds.title}</p>
          {waiting.length === 0 && <p className={css.none}>{header.unread(total)}</p>}
          <ul>
            {waiting.map((tab) => (
              <li key={tab}>
                <Link to="/msgCenter" search={{ tab }} className={css.row} onClick={close}>
                  {kinds.scenes[tab]}
                  <span className={`${css.count} numbers`}>{data?.byScene[tab]}</span>
                </Link>
              </li>
            ))}
          </ul>
          <Link to="/msgCenter" className={css.all} onClick={close}>
            {kinds.open}
          </Link>
        </>
      )}
    </Popover>
  )
}
