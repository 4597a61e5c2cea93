import { useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import css from './role-tag.module.css'

const looks = ['ordinary', 'visitor', 'bkey', 'akey'] as const

interface RoleTagProps {
  level: number
  isBlacklisted?: boolean
}

/** The caller's role on a machine, by its level (contract: limitAuthority). */
export function RoleTag({ level, isBlacklisted = false }: RoleTagProps) {
  const { machines: t, applications } = useText()
  const look = looks[level] ?? 'ordinary'
  const word = isBlacklisted ? applications.blacklisted : (t.roles[level] ?? t.roles[0])
  return <span className={classes(css.tag, css[look])}>{word}</span>
}
