import { useQuery } from '@tanstack/react-query'
import { useText } from '../i18n/language.ts'
import { IconButton } from '../ui/button.tsx'
import { Popover } from '../ui/popover.tsx'
import { unreadQuery } from './account-queries.ts'
import { Badge } from './badge.tsx'
import css from './unread-bell.module.css'

/** How many messages wait, and of what kind. */
export function UnreadBell() {
  const { header, unread: kinds } = useText().app
  const { data } = useQuery(unreadQuery)
  const total = data?.totalUnreadMsg ?? 0
  const waiting = Object.entries(data?.byScene ?? {}).filter(([, count]) => count > 0)
  return (
    <Popover
      role="dialog"
      align="end"
      label={header.unread(total)}
      className={css.panel}
      trigger={(props) => (
        <IconButton icon="bell" label={header.unread(total)} {...props}>
          <Badge count={total} corner />
        </IconButton>
      )}
    >
      {() => (
        <>
          <p className={css.title}>{kinds.title}</p>
          {waiting.length === 0 && <p className={css.none}>{header.unread(total)}</p>}
          <dl>
            {waiting.map(([scene, count]) => (
              <div key={scene} className={css.row}>
                <dt>{kinds.scenes[scene] ?? scene}</dt>
                <dd className="numbers">{count}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Popover>
  )
}
