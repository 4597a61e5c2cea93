import type { ReactNode } from 'react'
import type { MaintenanceWindow } from '../../entities/enterprise/enterprise-queries.ts'
import { formatMinute, useText } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/people/people.module.css'

/** The grid its parts stand in. */
export const windowTemplate =
  'minmax(170px, 1.2fr) minmax(180px, 1.2fr) minmax(140px, 1fr) 120px minmax(72px, auto)'

/** A maintenance window: which machine, whose wish, from when until when, for what, and how it stands. */
export function WindowRow({ window, children }: { window: MaintenanceWindow; children?: ReactNode }) {
  const { maintenance: t, devices } = useText().enterprises
  return (
    <li className={css.row}>
      <span className={css.lines}>
        <span className={css.name}>
          <span className="cut" title={window.machineName || window.machineCode}>
            {window.machineName || window.machineCode}
          </span>
        </span>
        <span className={css.minor}>{t.by(window.enterprise, window.requestedBy)}</span>
      </span>
      <span className={css.lines}>
        <span className="numbers">{devices.span(formatMinute(window.start), formatMinute(window.stop))}</span>
      </span>
      <span className={css.lines}>
        <span>{window.scopes.map((scope) => t.scopeNames[scope]).join(' · ')}</span>
        <span className={css.minor} title={window.reason}>
          {window.reason}
        </span>
      </span>
      <span className={css.tag}>{t.states[window.state]}</span>
      {children && <div className={css.actions}>{children}</div>}
    </li>
  )
}
