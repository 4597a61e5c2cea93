import { enterprises, mayCall } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { askedMaintenanceQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { MaintenanceRequestDialog } from '../../entities/machine/maintenance-request-dialog.tsx'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import type { SectionProps } from './manage-section.ts'
import { useWindowColumns, windowKey, windowName, windowWords } from './window-columns.tsx'

/** The windows that the enterprise requested, and their states. */
export function MaintenanceSection({ space, permission }: SectionProps): ReactNode {
  const { enterprises: words } = useText()
  const t = words.maintenance
  const query = useQuery(askedMaintenanceQuery(space.eid))
  const view = useTableView({ id: 'enterprise.maintenance' })
  const columns = useWindowColumns()
  const [asking, setAsking] = useState(false)
  const ask = mayCall(enterprises.requestMaintenance, permission) && (
    <Button kind="primary" icon="plus" onClick={() => setAsking(true)}>
      {t.ask}
    </Button>
  )
  return (
    <>
      <DataTable
        title={t.windows}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={windowKey}
        rowName={windowName}
        search={t.search}
        searched={windowWords}
        fileName={t.windows}
        empty={{ icon: 'clock', title: t.emptyAsked, hint: t.askHint, action: ask }}
        actions={query.data && query.data.length > 0 && ask}
      />
      {asking && <MaintenanceRequestDialog eid={space.eid} onClose={() => setAsking(false)} />}
    </>
  )
}
