import { useText } from '../../i18n/index.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import css from './pane-visits.module.css'
import { rowsPerPage } from './visit-queries.ts'

interface PanePagesProps {
  page: number
  total: number
  onPage: (page: number) => void
}

/** The way through a list that is newest first; nothing where one page holds it all. */
export function PanePages({ page, total, onPage }: PanePagesProps) {
  const t = useText().visits.pane
  const pages = Math.max(1, Math.ceil(total / rowsPerPage))
  if (pages === 1) return null
  return (
    <div className={css.pages}>
      <span className="numbers">{t.page(String(page), String(pages))}</span>
      <IconButton
        icon="chevronLeft"
        size="small"
        label={t.newer}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        icon="chevronRight"
        size="small"
        label={t.older}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      />
    </div>
  )
}

export function PaneFailed({ onRetry }: { onRetry: () => void }) {
  const { app, visits } = useText()
  return (
    <p className={css.none} role="alert">
      {visits.pane.failed}
      <Button size="small" icon="refresh" onClick={onRetry}>
        {app.retry}
      </Button>
    </p>
  )
}
