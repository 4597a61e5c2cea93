import { useText } from '../../i18n/index.ts'
import { classes } from '../../ui/classes.ts'
import css from './role-tag.module.css'

const looks = ['ordinary', 'visitor', 'bkey', 'akey'] as const

/** What the caller is to a machine, by its level (contract: limitAuthority). */
export function RoleTag({ level }: { level: number }) {
  const t = useText().machines
  const look = looks[level] ?? 'ordinary'
  return <span className={classes(css.tag, css[look])}>{t.roles[level] ?? t.roles[0]}</span>
}
