import { enterprises, mayCall } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import css from '../access/people.module.css'
import { askedMaintenanceQuery } from './enterprise-queries.ts'
import { ListWait } from './list-wait.tsx'
import { MaintenanceRequestDialog } from './maintenance-request-dialog.tsx'
import type { SectionProps } from './manage-section.ts'
import { Panel } from './people-panel.tsx'
import { WindowRow, windowTemplate } from './window-row.tsx'

/** The windows the enterprise asked for, and what became of them. */
export function MaintenanceSection({ space, permission }: SectionProps): ReactNode {
  const { enterprises: words } = useText()
  const t = words.maintenance
  const query = useQuery(askedMaintenanceQuery(space.eid))
  const windows = query.data
  const [asking, setAsking] = useState(false)
  const ask = mayCall(enterprises.requestMaintenance, permission) && (
    <Button kind="primary" icon="plus" onClick={() => setAsking(true)}>
      {t.ask}
    </Button>
  )
  return (
    <>
      <Panel title={t.windows} template={windowTemplate} tools={windows && windows.length > 0 && ask}>
        <ListWait query={query} />
        {windows?.length === 0 && (
          <div className={css.body}>
            <EmptyState icon="clock" title={t.emptyAsked} hint={t.askHint}>
              {ask}
            </EmptyState>
          </div>
        )}
        <ul>
          {windows?.map((window) => (
            <WindowRow key={window.id} window={window} />
          ))}
        </ul>
      </Panel>
      {asking && <MaintenanceRequestDialog eid={space.eid} onClose={() => setAsking(false)} />}
    </>
  )
}
