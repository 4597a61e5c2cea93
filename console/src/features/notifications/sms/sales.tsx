import { smsStock } from '@busbar/contract'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { List } from '../../../shared/resource/list.tsx'
import { pages } from '../../../shared/resource/rows.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { paging } from '../notification-queries.ts'

/** The recharges and refunds of a balance, the latest first. */
export function Sales({ space }: { space: PageSpace }) {
  const t = useText().notifications.sales
  return (
    <List
      id="notifications.sales"
      title={t.title}
      rows={pages(smsStock.listSales, space.asked, paging)}
      rowKey={({ createTime, type, remaining }) => `${createTime} ${type} ${remaining}`}
      titles={{ ...t.columns, createTime: t.columns.at }}
      columns={{
        type: { kind: 'state', value: 'type', words: t.types, rank: 0, card: 'name' },
        count: {
          kind: 'count',
          value: 'count',
          words: (count, { type }) => `${type === 'refund' ? '−' : '+'}${formatNumber(Math.abs(count))}`,
          rank: 2,
        },
        remaining: { kind: 'count', value: 'remaining', rank: 3 },
        createTime: { kind: 'time', value: 'createTime', rank: 4, card: 'plain' },
        note: { kind: 'text', value: 'note', grow: 2, rank: 5, card: 'plain' },
      }}
      isExported
      empty={{ icon: 'list', title: t.empty, hint: t.emptyHint }}
    />
  )
}
