import { enterprises } from '@busbar/contract'
import type { ReactNode } from 'react'
import {
  askedMaintenanceQuery,
  type MaintenanceWindow,
  spaceKey,
} from '../../entities/enterprise/enterprise-queries.ts'
import { MaintenanceRequestDialog } from '../../entities/machine/maintenance-request-dialog.tsx'
import { useText } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
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
      acts={[
        {
          ...calls(enterprises.endMaintenance, ({ id }: MaintenanceWindow) => ({ eid, id })),
          label: t.actions.end,
          fits: ({ state }) => enterprises.endableStates.includes(state),
          asks: {
            title: ({ machineName, machineCode }) => t.endTitle(machineName || machineCode),
            body: t.endBody,
          },
          done: t.done.ended,
        },
      ]}
      touched={[spaceKey(eid)]}
      empty={{ icon: 'clock', title: t.emptyAsked, hint: t.askHint }}
    />
  )
}
