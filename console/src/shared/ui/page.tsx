import type { ReactNode } from 'react'
import css from './page.module.css'

interface PageProps {
  title: string
  /** One sentence that says what this screen is for. */
  lead?: string
  actions?: ReactNode
  children: ReactNode
}

/** A page that scrolls as a whole. Pages with their own grid lay themselves out. */
export function Page({ title, lead, actions, children }: PageProps) {
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div className={css.words}>
          <h1>{title}</h1>
          {lead && <p className={css.lead}>{lead}</p>}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
