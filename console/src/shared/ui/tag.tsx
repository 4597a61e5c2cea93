import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './tag.module.css'

/** The meaning of a word: a state that is good, soon bad or bad; `accent` for the person's own; else grey. */
export type TagTone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

/** A word about a thing. Only states have a colour. */
export function Tag({ tone = 'plain', children }: { tone?: TagTone; children: ReactNode }) {
  return <span className={classes(css.tag, tone !== 'plain' && css[tone])}>{children}</span>
}
