import type { ReactNode } from 'react'
import css from './setting-row.module.css'

interface SettingRowProps {
  name: string
  hint?: string | undefined
  /** The current value, if its control does not show it. */
  value?: ReactNode
  children?: ReactNode
}

/** One setting: its name, its value, and its control. */
export function SettingRow({ name, hint, value, children }: SettingRowProps) {
  return (
    <div className={css.row}>
      <div className={css.words}>
        <p className={css.name}>{name}</p>
        {value && <div className={css.value}>{value}</div>}
        {hint && <p className={css.hint}>{hint}</p>}
      </div>
      {children && <div className={css.control}>{children}</div>}
    </div>
  )
}

/** Settings that belong together. */
export function SettingPanel({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className={css.panel} aria-label={title}>
      {title && <h2 className={css.title}>{title}</h2>}
      {children}
    </section>
  )
}
