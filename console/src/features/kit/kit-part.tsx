import { type ReactNode, useId } from 'react'
import css from './kit-page.module.css'

/** A part of the kit under its name. */
export function KitPart({ name, children }: { name: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={css.part}>
      <h2 id={id}>{name}</h2>
      <div className={css.samples}>{children}</div>
    </section>
  )
}
