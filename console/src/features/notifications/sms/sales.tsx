import { useMemo } from 'react'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { timeCell } from '../../../shared/ui/data/csv.ts'
import { ExactTime } from '../../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { type SaleRow, salesQuery } from '../notification-queries.ts'
import { useNotificationList } from '../use-notification-list.ts'

const keyOf = ({ createTime, type, remaining }: SaleRow) => `${createTime} ${type} ${remaining}`

/** The recharges and refunds of a balance, the latest first. */
export function Sales({ space }: { space: PageSpace }) {
  const t = useText().notifications.sales
  const list = useNotificationList('sales', (ask) => salesQuery(space.asked, ask))
  const columns = useMemo(
    (): readonly TableColumn<SaleRow>[] => [
      {
        id: 'type',
        title: t.columns.type,
        ...{ width: 110, rank: 0, card: 'name' },
        value: ({ type }) => t.types[type],
      },
      {
        id: 'count',
        title: t.columns.count,
        ...{ width: 110, rank: 2 },
        value: ({ count }) => count,
        cell: ({ type, count }) => `${type === 'refund' ? '−' : '+'}${formatNumber(Math.abs(count))}`,
      },
      {
        id: 'remaining',
        title: t.columns.remaining,
        ...{ width: 110, rank: 3 },
        value: ({ remaining }) => remaining,
      },
      {
        id: 'createTime',
        title: t.columns.at,
        ...{ width: 172, rank: 4, card: 'plain' },
        value: ({ createTime }) => createTime,
        csv: ({ createTime }) => timeCell(createTime),
        cell: ({ createTime }) => <ExactTime at={createTime} />,
      },
      {
        id: 'note',
        title: t.columns.note,
        ...{ width: 140, grow: 2, rank: 5, card: 'plain' },
        value: ({ note }) => note,
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
      rowName={({ type }) => t.types[type]}
      fileName={t.title}
      empty={{ icon: 'list', title: t.empty, hint: t.emptyHint }}
    />
  )
}
