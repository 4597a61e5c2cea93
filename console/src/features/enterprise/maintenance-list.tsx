import { enterprises } from '@busbar/contract'
import type { MaintenanceWindow } from '../../entities/enterprise/enterprise-queries.ts'
import { formatMinute, useText } from '../../shared/i18n/index.ts'
import { List, type ListProps } from '../../shared/resource/list.tsx'
import { TimeSpan } from '../../shared/ui/data/time-span.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'

type OwnProps = 'rowKey' | 'columns' | 'titles' | 'search' | 'searched'

/** Maintenance windows: machine, requester, time, purpose and state of each. */
export function MaintenanceList(props: Omit<ListProps<MaintenanceWindow, unknown, string>, OwnProps>) {
  const { maintenance: t } = useText().enterprises
  const scopesOf = ({ scopes }: MaintenanceWindow) => scopes.map((scope) => t.scopeNames[scope]).join(' · ')
  return (
    <List
      {...props}
      rowKey="id"
      titles={t.columns}
      columns={{
        machine: {
          kind: 'name',
          value: ({ machineName, machineCode }) => machineName || machineCode,
          minor: ({ enterprise, requestedBy }) => t.by(enterprise, requestedBy),
        },
        span: {
          kind: 'time',
          value: 'start',
          cell: ({ start, stop }) =>
            stop === enterprises.noEnd ? (
              <Text numbers>{t.from(formatMinute(start))}</Text>
            ) : (
              <TimeSpan from={start} to={stop} hasLength />
            ),
          ...{ width: 260, grow: 0.4, rank: 1, card: 'plain' },
        },
        scopes: { kind: 'text', value: scopesOf, minor: ({ reason }) => reason, rank: 4, card: 'plain' },
        state: { kind: 'state', value: 'state', words: t.states, filter: 'several', width: 150, rank: 3 },
      }}
      search={t.search}
      searched={({ machineCode, enterprise, requestedBy, reason }) => [
        machineCode,
        enterprise,
        requestedBy,
        reason,
      ]}
      isExported
    />
  )
}
