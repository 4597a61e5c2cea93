import { messages } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useText } from '../../shared/i18n/language.ts'
import { unreadQuery } from '../../shared/session/account-queries.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import { IconButton } from '../../shared/ui/button.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { Popover } from '../../shared/ui/popover/popover.tsx'
import css from './unread-bell.module.css'

/** The counts of unread messages by kind and of those that need an answer, and the way to them. */
export function UnreadBell() {
  const { header, unread: kinds } = useText().app
  const { data } = useQuery(unreadQuery)
  const total = data?.totalUnreadMsg ?? 0
  const toAnswer = data?.toAnswer ?? 0
  const label = header.unread(total)
  const asks = toAnswer > 0 ? kinds.asksCount(toAnswer) : undefined
  const waiting = messages.messageTabs.filter((tab) => (data?.byScene[tab] ?? 0) > 0)
  return (
    <Popover
      placement="bottom end"
      label={label}
      className={css.panel}
      trigger={
        <IconButton
          icon="bell"
          label={label}
          data-tip={asks ? `${label} · ${asks}` : label}
          aria-description={asks}
        >
          <Badge count={total || toAnswer} quiet={total === 0} corner />
        </IconButton>
      }
    >
      {(close) => (
        <>
          <p className={css.title}>{kinds.title}</p>
          {waiting.length === 0 && (
            <Text as="p" pad="4 8" tone="quiet">
              {label}
            </Text>
          )}
          <ul>
            {waiting.map((tab) => (
              <li key={tab}>
                <Link to="/msgCenter" search={{ tab }} className={css.row} onClick={close}>
                  {kinds.scenes[tab]}
                  <Text tone="text" weight={600} numbers>
                    {data?.byScene[tab]}
                  </Text>
                </Link>
              </li>
            ))}
          </ul>
          {toAnswer > 0 && (
            <Link to="/msgCenter" search={{ tab: 'inbox', asks: true }} className={css.asks} onClick={close}>
              {kinds.asks}
              <Text tone="text" weight={600} numbers>
                {toAnswer}
              </Text>
            </Link>
          )}
          <Link to="/msgCenter" className={css.all} onClick={close}>
            {kinds.open}
          </Link>
        </>
      )}
    </Popover>
  )
}
