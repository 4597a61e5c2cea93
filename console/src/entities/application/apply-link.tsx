import type { Text } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row } from '../../shared/ui/layout/layout.tsx'
import link from '../machine/enter-link.module.css'
import type { Machine } from '../machine/machine.ts'
import css from './apply-link.module.css'
import { openApply } from './apply-wish.ts'

interface ApplyLinkProps {
  machine: Machine
  /** A word in a row, a glyph on a card. */
  look: 'word' | 'glyph'
  tabIndex?: number
  t: Text['applications']
}

/** Takes the place of the enter link for an ordinary user: it leads to an application. */
export function ApplyLink({ machine, look, tabIndex, t }: ApplyLinkProps) {
  if (machine.role === 'blacklisted')
    return look === 'word' ? <span className={css.blocked}>{t.blacklisted}</span> : null
  // Its mark is shown beside the role.
  if (machine.application) return null
  const label = t.apply.openOf(machine.name)
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={label}
      data-tip={look === 'glyph' ? label : undefined}
      className={classes(link.link, link[look], look === 'glyph' && css.glyph)}
      onClick={(event) => {
        event.stopPropagation()
        openApply(machine, { kind: 'visit' })
      }}
    >
      {look === 'word' ? t.apply.open : <Icon name="signIn" size={18} />}
    </button>
  )
}

interface WaitingMarkProps {
  application: NonNullable<Machine['application']>
  /** No room for the word. */
  glyphOnly?: boolean
  t: Text['applications']
}

/** Marks an open application: a clock and its word, in a row or on a card. */
export function WaitingMark({ application, glyphOnly = false, t }: WaitingMarkProps) {
  const words = t.waitingOf[application.kind]
  return (
    <Row as="span" gap={4} inline tone="accent" size="11/14" weight={500} oneLine data-tip={words}>
      <Icon name="clock" size={12} />
      <span className={glyphOnly ? 'sr-only' : undefined}>{t.waitingShort}</span>
    </Row>
  )
}
