import { smsStock } from '@busbar/contract'
import { useMemo } from 'react'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { timeCell } from '../../../shared/ui/data/csv.ts'
import { ExactTime } from '../../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { type Allocation, allocationsQuery } from '../notification-queries.ts'
import { useNotificationList } from '../use-notification-list.ts'

const keyOf = (row: Allocation) =>
  `${row.createTime} ${row.operate} ${row.userId ?? row.name} ${row.remaining}`

/** The segments that an enterprise gave to members and reclaimed, the latest first. */
export function Allocations({ space }: { space: PageSpace }) {
  const t = useText().notifications.allocations
  const list = useNotificationList('allocations', (ask) => allocationsQuery(space.asked.eid ?? 0, ask))
  const columns = useMemo(
    (): readonly TableColumn<Allocation>[] => [
      {
        id: 'member',
        title: t.columns.member,
        ...{ width: 130, grow: 1, rank: 0, card: 'name' },
        value: ({ name }) => name || t.gone,
      },
      {
        id: 'operate',
        title: t.columns.operate,
        ...{ width: 110, rank: 2, card: 'plain' },
        filter: {
          kind: 'choice',
          isSingle: true,
          choices: Object.fromEntries(smsStock.allocationActs.map((act) => [act, t.acts[act]])),
        },
        value: ({ operate }) => t.acts[operate],
      },
      {
        id: 'count',
        title: t.columns.count,
        ...{ width: 90, rank: 3 },
        value: ({ count }) => count,
        cell: ({ operate, count }) => `${operate === 'takeBack' ? '−' : '+'}${formatNumber(Math.abs(count))}`,
      },
      {
        id: 'remaining',
        title: t.columns.remaining,
        ...{ width: 130, rank: 4 },
        value: ({ remaining }) => remaining,
      },
      {
        id: 'by',
        title: t.columns.by,
        ...{ width: 120, grow: 1, rank: 6 },
        value: ({ by }) => by,
      },
      {
        id: 'at',
        title: t.columns.at,
        ...{ width: 172, rank: 5, card: 'plain', filter: { kind: 'dateRange' } },
        value: ({ createTime }) => createTime,
        csv: ({ createTime }) => timeCell(createTime),
        cell: ({ createTime }) => <ExactTime at={createTime} />,
      },
    ],
    [t],
  )
  return (
    <DataTable
      title={t.title}
      view={list.view}
      source={list.source}
      columns={columns}
      rowKey={keyOf}
      rowName={({ name }) => name || t.gone}
      fileName={t.title}
      empty={{ icon: 'list', title: t.empty, hint: t.emptyHint }}
    />
  )
}
