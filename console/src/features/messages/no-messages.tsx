import { Link } from '@tanstack/react-router'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import css from './messages-page.module.css'
import type { MessageListView } from './use-message-list.ts'

/** The reason why the list is empty, and the way to messages. */
export function NoMessages({ view, onShowAll }: { view: MessageListView; onShowAll: () => void }) {
  const t = useText().messages.empty
  if (view.isFiltered) {
    return (
      <EmptyState icon="search" title={t.noMatch} hint={t.noMatchHint}>
        <Button onClick={onShowAll}>{t.showAll}</Button>
      </EmptyState>
    )
  }
  const { tab } = view
  return (
    <EmptyState icon="mail" title={t[tab]} hint={t[`${tab}Hint`]}>
      {tab === 'sent' && (
        <Link to="/index/" className={css.way}>
          {t.toDevices}
        </Link>
      )}
    </EmptyState>
  )
}
