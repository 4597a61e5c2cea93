import { access } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { bkeysQuery, reachQuery, visitorsQuery } from '../../entities/access/access-queries.ts'
import { VisitTimeText } from '../../entities/access/visit-time-text.tsx'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { MenuItem } from '../../shared/ui/menu/menu.tsx'
import { RowMenu } from '../../shared/ui/people/row-menu.tsx'
import { RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { useNow } from '../../shared/ui/use-now.ts'
import { useAdministration } from './administration.ts'
import { LiveVisits } from './live-visits.tsx'
import { sortReach } from './people-order.ts'
import { accountOf, personColumn, personNameOf } from './person-cell.tsx'
import { usePersonActions } from './use-person-actions.ts'

type Reach = access.Reach

const overTickMs = 1_000
const keyOf = ({ by, userId }: Reach) => `${by} ${userId}`

/** People inside and people with access: by which right, until when, and how to revoke it. */
export function NowSection() {
  const { machineId } = useAdministration()
  const { access: t, table } = useText()
  const lang = useLang()
  const query = useQuery(reachQuery(machineId))
  const view = useTableView({ id: 'keys.now' })
  const now = useNow(overTickMs)
  const collator = useMemo(() => new Intl.Collator(lang === 'cn' ? 'zh-CN' : 'en', { numeric: true }), [lang])
  const columns = useMemo(
    (): readonly TableColumn<Reach>[] => [
      personColumn<Reach>(t.columns.person),
      {
        id: 'by',
        title: t.columns.by,
        ...{ width: 120, rank: 2, filter: { kind: 'choice', choices: t.by } },
        value: ({ by }) => by,
        csv: ({ by }) => t.by[by],
        cell: ({ by }) => t.by[by],
      },
      {
        id: 'may',
        title: t.columns.may,
        ...{ width: 110, rank: 4 },
        value: ({ mode }) => t.modes[mode],
      },
      {
        id: 'until',
        title: t.columns.until,
        ...{ width: 150, grow: 1.1, rank: 3, card: 'plain' },
        value: ({ until }) => (until === access.visitTimes.forever ? Number.MAX_SAFE_INTEGER : until),
        csv: ({ until }) => (until > 0 ? timeCell(until) : t.time.forever),
        cell: ({ until, by }) => <VisitTimeText visitTime={until} note={by === 'akey' ? '' : undefined} />,
      },
      actionsColumn<Reach>(table.actions, 164, (reach) => <ReachActions reach={reach} />),
    ],
    [t, table],
  )
  return (
    <>
      <LiveVisits />
      <DataTable
        title={t.tabs.now}
        lead={t.now.lead}
        view={view}
        source={wholeList(query, query.data && sortReach(query.data, now, collator))}
        columns={columns}
        rowKey={keyOf}
        rowName={personNameOf}
        search={t.search}
        searched={accountOf}
        fileName={t.tabs.now}
        empty={{ icon: 'lock', title: t.now.empty, hint: t.now.emptyHint }}
      />
    </>
  )
}

/** Revokes a right in its row. The caller's own right and the Akey's cannot be revoked here. */
function ReachActions({ reach }: { reach: Reach }) {
  const { machineId, isAkey, userId } = useAdministration()
  const t = useText().access
  const actions = usePersonActions()
  const visitors = useQuery(visitorsQuery(machineId)).data
  const bkeys = useQuery(bkeysQuery(machineId)).data
  const visitor = reach.by === 'visitor' ? visitors?.find((each) => each.userId === reach.userId) : undefined
  const bkey = reach.by === 'bkey' ? bkeys?.find((each) => each.userId === reach.userId) : undefined
  const mayTake = reach.userId !== userId && (visitor !== undefined || (isAkey && bkey !== undefined))
  if (!mayTake) return null
  return (
    <RowActions>
      {visitor && (
        <Button size="small" onClick={() => actions.end(visitor)}>
          {t.visitors.end}
          <span className="sr-only">{reach.name}</span>
        </Button>
      )}
      {bkey && (
        <Button size="small" onClick={() => actions.lower(bkey)}>
          {t.bkeys.lower}
          <span className="sr-only">{reach.name}</span>
        </Button>
      )}
      <RowMenu name={reach.name}>
        <MenuItem icon="ban" danger onAction={() => actions.block(reach)}>
          {t.visitors.block}
        </MenuItem>
      </RowMenu>
    </RowActions>
  )
}
