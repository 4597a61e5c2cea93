import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Row } from '../../shared/ui/layout/layout.tsx'

/** A section of the pane that could not be read. */
export function PaneFailed({ onRetry }: { onRetry: () => void }) {
  const { app, visits } = useText()
  return (
    <Row as="p" padY={6} gap={12} tone="quiet" role="alert">
      {visits.pane.failed}
      <Button size="small" icon="refresh" onClick={onRetry}>
        {app.retry}
      </Button>
    </Row>
  )
}
