import { enterprises, mayCall } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { askedMaintenanceQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { MaintenanceRequestDialog } from '../../entities/machine/maintenance-request-dialog.tsx'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { ListWait } from '../../shared/ui/people/list-wait.tsx'
import css from '../../shared/ui/people/people.module.css'
import { Panel } from '../../shared/ui/people/people-panel.tsx'
import type { SectionProps } from './manage-section.ts'
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
