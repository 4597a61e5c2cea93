import type { ErrorComponentProps } from '@tanstack/react-router'
import { useText } from '../i18n/language.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { PartFailed } from './lazy-part.tsx'

const detailMax = 200

/** Replaces a page, or with `part` a part of one, that ran into an error; the surroundings keep working. */
export function BrokenPage({ error, reset, part = false }: ErrorComponentProps & { part?: boolean }) {
  const t = useText().app.broken
  const reason = error instanceof Error ? error.message : String(error)
  // A page whose file an update removed is only available in the new version.
  if (isMissingChunk(reason)) return <PartFailed onRetry={reset} />
  return (
    <div role="alert">
      <EmptyState icon="warning" title={part ? t.partTitle : t.title} hint={t.body}>
        {!part && <Button onClick={() => location.assign('/')}>{t.home}</Button>}
        <Button kind="primary" icon="refresh" onClick={reset}>
          {t.reload}
        </Button>
      </EmptyState>
      <p className="mono" style={{ textAlign: 'center', color: 'var(--text3)', fontSize: 11 }}>
        {reason.slice(0, detailMax)}
      </p>
    </div>
  )
}

function isMissingChunk(reason: string): boolean {
  return /dynamically imported module|module script|preload CSS/i.test(reason)
}
