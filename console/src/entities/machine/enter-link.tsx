import type { Text } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import css from './enter-link.module.css'
import { enterBlock } from './enter-machine.ts'
import type { Machine } from './machine.ts'
import { visitIcons } from './visit-icons.ts'

interface EnterLinkProps {
  machine: Machine
  /** A word in a row, a glyph on a card. */
  look: 'word' | 'glyph'
  tabIndex?: number
  t: Text['visits']
  /** From `enterAddresses`. */
  addressOf: (machineId: number) => string
}

/** Enters a machine in a new tab. One element with precomputed props, because every row has one. */
export function EnterLink({ machine, look, tabIndex, t, addressOf }: EnterLinkProps) {
  const block = enterBlock(machine, t.blocked)
  const label = t.enterOf(machine.name)
  return (
    <a
      href={block ? undefined : addressOf(machine.id)}
      role={block ? 'link' : undefined}
      aria-disabled={block ? true : undefined}
      target="_blank"
      rel="noopener"
      tabIndex={tabIndex}
      aria-label={label}
      data-tip={block ?? (look === 'glyph' ? label : undefined)}
      className={classes(css.link, css[look], block && css.blocked)}
      onClick={(event) => event.stopPropagation()}
    >
      {look === 'word' ? t.enterShort : <Icon path={visitIcons.enter} size={18} />}
    </a>
  )
}
