import { enterprises } from '@busbar/contract'
import { type ReactNode, useEffect } from 'react'
import { type MaintenanceWindow, maintenanceQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { type Act, calls } from '../../shared/resource/acts.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { rememberSpace } from '../../shared/session/space.ts'
import { Page } from '../../shared/ui/page.tsx'
import { MaintenanceList } from './maintenance-list.tsx'

/** Maintenance requests for the person's machines: consent, refuse, suspend, end. */
export function MaintenancePage(): ReactNode {
  const t = useText().enterprises.maintenance
  useEffect(() => rememberSpace(0, 0), [])
  const answer = (action: enterprises.MaintenanceAction): Act<MaintenanceWindow> => ({
    ...calls(enterprises.answerMaintenance, ({ id }: MaintenanceWindow) => ({ id, action })),
    label: t.actions[action],
    look: action === 'accept' ? 'primary' : 'default',
    fits: ({ state }) => enterprises.maintenanceSteps[action].from.includes(state),
    ...(action === 'end' && {
      asks: { title: ({ enterprise }: MaintenanceWindow) => t.endOf(enterprise), body: t.endOfBody },
    }),
    done: t.done[enterprises.maintenanceSteps[action].to],
  })
  return (
    <Page title={t.title} lead={t.lead}>
      <MaintenanceList
        id="maintenance"
        title={t.requests}
        rows={whole(maintenanceQuery)}
        acts={enterprises.maintenanceActions.map(answer)}
        actsWidth={176}
        touched={[['maintenance'], ['messages']]}
        empty={{ icon: 'clock', title: t.empty, hint: t.emptyHint }}
      />
    </Page>
  )
}
