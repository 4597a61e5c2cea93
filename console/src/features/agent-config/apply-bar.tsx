import { Button } from '../../shared/ui/button.tsx'
import { useAgentConfigText } from './agent-config-text.ts'
import css from './drivers.module.css'

interface ApplyBarProps {
  busy: 'check' | 'apply' | undefined
  /** Another change is being tried. */
  isLocked: boolean
  onDiscard: () => void
  onCheck: () => void
  onApply: () => void
}

/** Shown at the bottom while there are changes to apply. */
export function ApplyBar({ busy, isLocked, onDiscard, onCheck, onApply }: ApplyBarProps) {
  const t = useAgentConfigText().bar
  return (
    <div className={css.bar}>
      <span className={css.barText}>{t.changes}</span>
      <Button kind="ghost" onClick={onDiscard} disabled={isLocked}>
        {t.discard}
      </Button>
      <Button onClick={onCheck} busy={busy === 'check'} disabled={isLocked}>
        {t.check}
      </Button>
      <Button kind="primary" onClick={onApply} busy={busy === 'apply' || isLocked}>
        {t.apply}
      </Button>
    </div>
  )
}
