import { enterprises } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { type MaintenanceWindow, maintenanceQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { rememberSpace } from '../../shared/session/space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { ListWait } from '../../shared/ui/people/list-wait.tsx'
import css from '../../shared/ui/people/people.module.css'
import { Panel } from '../../shared/ui/people/people-panel.tsx'
import { useAct } from '../../shared/ui/use-act.ts'
import { useSmallTablet } from '../../shared/ui/use-tight-screen.ts'
import pageCss from './manage-page.module.css'
import { WindowRow, windowTemplate } from './window-row.tsx'

/** What enterprises ask of one's own machines: consent, refuse, hold back, end (decision 28). */
export function MaintenancePage(): ReactNode {
  const t = useText().enterprises.maintenance
  useEffect(() => rememberSpace(0, 0), [])
  const query = useQuery(maintenanceQuery)
  const windows = query.data
  const isSmall = useSmallTablet()
  return (
    <Page title={t.title} lead={t.lead}>
      <div data-layout={isSmall ? 'narrow' : undefined}>
        <Panel title={t.requests} template={windowTemplate}>
          <ListWait query={query} />
          {windows?.length === 0 && (
            <div className={css.body}>
              <EmptyState icon="clock" title={t.empty} hint={t.emptyHint} />
            </div>
          )}
          <ul>
            {windows?.map((window) => (
              <Answerable key={window.id} window={window} />
            ))}
          </ul>
        </Panel>
      </div>
    </Page>
  )
}

function Answerable({ window }: { window: MaintenanceWindow }) {
  const t = useText().enterprises.maintenance
  const answer = useAct<enterprises.MaintenanceAction>({
    call: (action) => call(enterprises.answerMaintenance, { id: window.id, action }),
    done: (action) => t.done[enterprises.maintenanceSteps[action].to],
    touched: [['maintenance']],
  })
  const actions = enterprises.maintenanceActions.filter((action) =>
    enterprises.maintenanceSteps[action].from.includes(window.state),
  )
  return (
    <WindowRow window={window}>
      <span className={pageCss.windows}>
        {actions.map((action) => (
          <Button
            key={action}
            size="small"
            kind={action === 'accept' ? 'primary' : 'default'}
            disabled={answer.isPending}
            onClick={() => answer.mutate(action)}
          >
            {t.actions[action]}
          </Button>
        ))}
      </span>
    </WindowRow>
  )
}
