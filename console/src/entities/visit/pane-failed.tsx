import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import css from './pane-visits.module.css'

/** A section of the pane that could not be read. */
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
