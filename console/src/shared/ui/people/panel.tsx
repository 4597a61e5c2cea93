import { type ReactNode, useId } from 'react'
import css from './panel.module.css'

interface PanelProps {
  title: string
  lead?: string | undefined
  children: ReactNode
}

/** A bordered part of a page, with its head. */
export function Panel({ title, lead, children }: PanelProps) {
  const id = useId()
  return (
    <section className={css.panel} aria-labelledby={id}>
      <header className={css.head}>
        <div className={css.words}>
          <h2 id={id} className={css.title}>
            {title}
          </h2>
          {lead && <p className={css.lead}>{lead}</p>}
        </div>
      </header>
      {children}
    </section>
  )
}
