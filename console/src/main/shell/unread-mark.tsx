import { useQuery } from '@tanstack/react-query'
import { useText } from '../../shared/i18n/language.ts'
import { unreadQuery } from '../../shared/session/account-queries.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import css from './unread-mark.module.css'

/**
 * The count of unread messages at an entry of a menu, and without any that of messages that need an answer;
 * on its icon's corner if it does not fit beside it.
 */
export function UnreadMark({ corner }: { corner: boolean }) {
  const t = useText().app.unread
  const { data } = useQuery(unreadQuery)
  const total = data?.totalUnreadMsg ?? 0
  const toAnswer = data?.toAnswer ?? 0
  if (total + toAnswer < 1) return null
  return (
    <span className={corner ? css.corner : css.beside}>
      <Badge count={total || toAnswer} quiet={total === 0} corner={corner} />
      {total > 0 && <span className="sr-only">, {t.count(total)}</span>}
      {toAnswer > 0 && <span className="sr-only">, {t.asksCount(toAnswer)}</span>}
    </span>
  )
}
