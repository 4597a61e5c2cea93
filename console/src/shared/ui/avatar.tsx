import css from './avatar.module.css'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

/** A name's sign: the family name's character in Chinese, two initials otherwise. */
function initials(name: string): string {
  const trimmed = name.trim()
  if (/^\p{Script=Han}/u.test(trimmed)) return [...trimmed][0] ?? ''
  const words = trimmed.split(/\s+/).slice(0, 2)
  return words.map((word) => [...word][0]?.toUpperCase() ?? '').join('')
}

interface AvatarProps {
  name: string
  size?: number
  /** Instead of the name's sign. */
  icon?: IconName
  /** Spaces are square, people round. */
  square?: boolean
}

export function Avatar({ name, icon, size = 24, square = false }: AvatarProps) {
  const sign = initials(name)
  // Two letters are wider than one character.
  const share = sign.length > 1 ? 0.38 : 0.46
  return (
    <span
      aria-hidden="true"
      data-sign={icon ? undefined : sign}
      className={classes(css.avatar, square && css.square)}
      style={{ width: size, height: size, fontSize: Math.round(size * share) }}
    >
      {icon && <Icon name={icon} size={Math.round(size * 0.62)} />}
    </span>
  )
}
