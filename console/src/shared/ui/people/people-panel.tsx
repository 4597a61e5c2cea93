import { type CSSProperties, type ReactNode, useId } from 'react'
import css from './people.module.css'

interface PanelProps {
  title: string
  count?: string | undefined
  lead?: string | undefined
  /** Search field and button. */
  tools?: ReactNode
  /** Names of the columns and the grid they stand in; left out where rows explain themselves. */
  columns?: readonly string[] | undefined
  template: string
  children: ReactNode
}

/** A bordered list with its head; on a phone its rows become cards. */
export function Panel({ title, count, lead, tools, columns, template, children }: PanelProps) {
  const id = useId()
  return (
    <section className={css.panel} style={{ '--columns': template } as CSSProperties} aria-labelledby={id}>
      <header className={css.head}>
        <div className={css.words}>
          <h2 id={id} className={css.title}>
            {title}
            {count && <span className={css.count}>{count}</span>}
          </h2>
          {lead && <p className={css.lead}>{lead}</p>}
        </div>
        {tools && <div className={css.tools}>{tools}</div>}
      </header>
      {columns && (
        <div className={css.names} aria-hidden="true">
          {columns.map((name) => (
            <span key={name} className="cut">
              {name}
            </span>
          ))}
        </div>
      )}
      {children}
    </section>
  )
}
