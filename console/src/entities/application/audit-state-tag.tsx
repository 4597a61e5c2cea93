import { applications } from '@busbar/contract'
import { useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import { isOpen as waits } from './audit-state.ts'
import css from './audit-state-tag.module.css'

const { refusedByAkey, refusedByBkey, passed } = applications.auditStates

/** The state of an application by shape and word: colours are reserved for the state of machines. */
export function AuditStateTag({ state }: { state: number }) {
  const t = useText().applications
  const isOpen = waits(state)
  return (
    <span className={classes(css.tag, isOpen && css.open)}>
      <Icon name={iconOf(state, isOpen)} size={14} />
      {t.states[state] ?? ''}
    </span>
  )
}

function iconOf(state: number, isOpen: boolean): IconName {
  if (isOpen) return 'clock'
  if (state === passed) return 'check'
  return state === refusedByAkey || state === refusedByBkey ? 'ban' : 'minus'
}
