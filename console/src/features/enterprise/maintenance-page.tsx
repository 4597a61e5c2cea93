import { enterprises } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { type MaintenanceWindow, maintenanceQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { rememberSpace } from '../../shared/session/space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { useAct } from '../../shared/ui/use-act.ts'
import { useWindowColumns, windowKey, windowName, windowWords } from './window-columns.tsx'

/** Maintenance requests for the person's machines: consent, refuse, suspend, end. */
export function MaintenancePage(): ReactNode {
  const { enterprises: words, table } = useText()
  const t = words.maintenance
  useEffect(() => rememberSpace(0, 0), [])
  const query = useQuery(maintenanceQuery)
  const view = useTableView({ id: 'maintenance' })
  const shared = useWindowColumns()
  const columns = useMemo(
    () => [
      ...shared,
      actionsColumn<MaintenanceWindow>(table.actions, 176, (window) => <Answers window={window} />, 'foot'),
    ],
    [shared, table],
  )
  return (
    <Page title={t.title} lead={t.lead}>
      <DataTable
        title={t.requests}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={windowKey}
        rowName={windowName}
        search={t.search}
        searched={windowWords}
        fileName={t.requests}
        empty={{ icon: 'clock', title: t.empty, hint: t.emptyHint }}
      />
    </Page>
  )
}

function Answers({ window }: { window: MaintenanceWindow }) {
  const t = useText().enterprises.maintenance
  const answer = useAct<enterprises.MaintenanceAction>({
    call: (action) => call(enterprises.answerMaintenance, { id: window.id, action }),
    done: (action) => t.done[enterprises.maintenanceSteps[action].to],
    touched: [['maintenance'], ['messages']],
  })
  const actions = enterprises.maintenanceActions.filter((action) =>
    enterprises.maintenanceSteps[action].from.includes(window.state),
  )
  if (actions.length === 0) return null
  return (
    <RowActions>
      {actions.map((action) => (
        <Button
          key={action}
          size="small"
          kind={action === 'accept' ? 'primary' : 'default'}
          disabled={answer.isPending}
          onClick={() => answer.mutate(action)}
        >
          {t.actions[action]}
          <span className="sr-only">{windowName(window)}</span>
        </Button>
      ))}
    </RowActions>
  )
}
