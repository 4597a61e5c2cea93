import { classes } from '../ui/classes.ts'
import css from './avatar.module.css'

/** A name's sign: the family name's character in Chinese, two initials otherwise. */
export function initials(name: string): string {
  const trimmed = name.trim()
  if (/^\p{Script=Han}/u.test(trimmed)) return [...trimmed][0] ?? ''
  const words = trimmed.split(/\s+/).slice(0, 2)
  return words.map((word) => [...word][0]?.toUpperCase() ?? '').join('')
}

interface AvatarProps {
  name: string
  size?: number
  /** Spaces are square, people round. */
  square?: boolean
}

export function Avatar({ name, size = 24, square = false }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={classes(css.avatar, square && css.square)}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.46) }}
    >
      {initials(name)}
    </span>
  )
}
