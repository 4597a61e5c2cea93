import { type ReactNode, useId } from 'react'
import { classes } from '../../src/shared/ui/classes.ts'
import css from './kit-page.module.css'

interface KitPartProps {
  name: string
  /** It takes the page's whole width. */
  isWide?: boolean
  children: ReactNode
}

/** A part of the kit under its name. */
export function KitPart({ name, isWide = false, children }: KitPartProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes(css.part, isWide && css.wholeRow)}>
      <h2 id={id}>{name}</h2>
      <div className={css.samples}>{children}</div>
    </section>
  )
}
