import { formatBadge } from '../i18n/format.ts'
import css from './badge.module.css'
import { classes } from './classes.ts'

interface BadgeProps {
  count: number
  corner?: boolean
  /** Drawn as an outline: a count of things that were seen. */
  quiet?: boolean
}

/** A count that needs attention; hidden at 0, 99+ above 99. The labelled element contains the number. */
export function Badge({ count, corner = false, quiet = false }: BadgeProps) {
  if (count < 1) return null
  return (
    <span
      aria-hidden="true"
      data-count={formatBadge(count)}
      className={classes(css.badge, corner && css.corner, quiet && css.quiet)}
    />
  )
}
