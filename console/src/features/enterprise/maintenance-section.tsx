import { enterprises } from '@busbar/contract'
import type { ReactNode } from 'react'
import { askedMaintenanceQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { MaintenanceRequestDialog } from '../../entities/machine/maintenance-request-dialog.tsx'
import { useText } from '../../shared/i18n/index.ts'
import { whole } from '../../shared/resource/rows.ts'
import { MaintenanceList } from './maintenance-list.tsx'
import type { SectionProps } from './manage-section.ts'

/** The windows that the enterprise requested, and their states. */
export function MaintenanceSection({ space: { eid }, permission }: SectionProps): ReactNode {
  const t = useText().enterprises.maintenance
  return (
    <MaintenanceList
      id="enterprise.maintenance"
      title={t.windows}
      rows={whole(askedMaintenanceQuery(eid))}
      permission={permission}
      add={{
        label: t.ask,
        route: enterprises.requestMaintenance,
        opens: (close) => <MaintenanceRequestDialog eid={eid} onClose={close} />,
      }}
      empty={{ icon: 'clock', title: t.emptyAsked, hint: t.askHint }}
    />
  )
}
