import { formatBadge } from '../i18n/format.ts'
import css from './badge.module.css'
import { classes } from './classes.ts'

/** A count that wants attention; nothing at 0, 99+ above 99. Its bearer's name says the number. */
export function Badge({ count, corner = false }: { count: number; corner?: boolean }) {
  if (count < 1) return null
  return (
    <span
      aria-hidden="true"
      data-count={formatBadge(count)}
      className={classes(css.badge, corner && css.corner)}
    />
  )
}
