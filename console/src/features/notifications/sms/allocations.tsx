import { smsStock } from '@busbar/contract'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { List } from '../../../shared/resource/list.tsx'
import { pages } from '../../../shared/resource/rows.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { paging } from '../notification-queries.ts'

/** The segments that an enterprise gave to members and reclaimed, the latest first. */
export function Allocations({ space }: { space: PageSpace }) {
  const t = useText().notifications.allocations
  return (
    <List
      id="notifications.allocations"
      title={t.title}
      rows={pages(smsStock.listAllocations, { eid: space.asked.eid ?? 0 }, paging)}
      rowKey={(row) => `${row.createTime} ${row.operate} ${row.userId ?? row.name} ${row.remaining}`}
      titles={t.columns}
      columns={{
        member: { kind: 'name', value: ({ name }) => name || t.gone, grow: 1 },
        operate: { kind: 'state', value: 'operate', words: t.acts, filter: 'one', rank: 2, card: 'plain' },
        count: {
          kind: 'count',
          value: 'count',
          words: (count, { operate }) =>
            `${operate === 'takeBack' ? '−' : '+'}${formatNumber(Math.abs(count))}`,
          rank: 3,
        },
        remaining: { kind: 'count', value: 'remaining', width: 130, rank: 4 },
        by: { kind: 'text', value: 'by', width: 120, rank: 6 },
        at: { kind: 'time', value: 'createTime', between: ['startTime', 'endTime'], rank: 5, card: 'plain' },
      }}
      isExported
      empty={{ icon: 'list', title: t.empty, hint: t.emptyHint }}
    />
  )
}
