import { useMemo } from 'react'
import type { MaintenanceWindow } from '../../entities/enterprise/enterprise-queries.ts'
import { formatMinute, useText } from '../../shared/i18n/index.ts'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { Lines, NameCell } from '../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../shared/ui/table/column.ts'

export const windowKey = ({ id }: MaintenanceWindow) => id
export const windowName = ({ machineName, machineCode }: MaintenanceWindow) => machineName || machineCode

/** Further texts of a window that a search looks through. */
export const windowWords = ({ machineCode, enterprise, requestedBy, reason }: MaintenanceWindow) => [
  machineCode,
  enterprise,
  requestedBy,
  reason,
]

/** The columns of a maintenance window: machine, requester, time, purpose and state. */
export function useWindowColumns(): readonly TableColumn<MaintenanceWindow>[] {
  const { maintenance: t, devices } = useText().enterprises
  return useMemo((): readonly TableColumn<MaintenanceWindow>[] => {
    const scopesOf = ({ scopes }: MaintenanceWindow) => scopes.map((scope) => t.scopeNames[scope]).join(' · ')
    return [
      {
        id: 'machine',
        title: t.columns.machine,
        ...{ width: 160, grow: 1.2, rank: 0, pinned: 'start', card: 'name' },
        value: windowName,
        cell: (window) => (
          <NameCell name={windowName(window)} minor={t.by(window.enterprise, window.requestedBy)} />
        ),
      },
      {
        id: 'span',
        title: t.columns.span,
        ...{ width: 190, grow: 1, rank: 2, card: 'plain' },
        value: ({ start }) => start,
        csv: ({ start }) => timeCell(start),
        cell: ({ start, stop }) => (
          <span className="numbers cut">{devices.span(formatMinute(start), formatMinute(stop))}</span>
        ),
      },
      {
        id: 'scopes',
        title: t.columns.scopes,
        ...{ width: 140, grow: 1, rank: 4, card: 'plain' },
        value: scopesOf,
        cell: (window) => <Lines main={scopesOf(window)} minor={window.reason} />,
      },
      {
        id: 'state',
        title: t.columns.state,
        ...{ width: 120, rank: 3, filter: { kind: 'choice', choices: t.states } },
        value: ({ state }) => state,
        csv: ({ state }) => t.states[state],
        cell: ({ state }) => t.states[state],
      },
    ]
  }, [t, devices])
}
