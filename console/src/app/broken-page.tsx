import type { ErrorComponentProps } from '@tanstack/react-router'
import { useText } from '../i18n/language.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

const detailMax = 200

/** Stands where a page ran into an error; the shell around it goes on. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const t = useText().app.broken
  const reason = error instanceof Error ? error.message : String(error)
  return (
    <div role="alert">
      <EmptyState icon="warning" title={t.title} hint={t.body}>
        <Button onClick={() => location.assign('/')}>{t.home}</Button>
        <Button
          kind="primary"
          onClick={() => {
            // A page whose file is gone since an update can only be had with the new version.
            if (isMissingChunk(reason)) location.reload()
            else reset()
          }}
        >
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
  return /dynamically imported module|Importing a module script failed|module script/i.test(reason)
}
