import type { smsStock } from '@busbar/contract'
import { useMemo, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { ExactTime, NameCell, RowActions } from '../../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { type MemberStockRow, memberStocksQuery } from '../notification-queries.ts'
import { useNotificationList } from '../use-notification-list.ts'
import { TransferDialog } from './transfer-dialog.tsx'

interface Transfer {
  readonly member: MemberStockRow
  readonly direction: smsStock.AllocationAct
}

const keyOf = ({ userId }: MemberStockRow) => userId
const nameOf = ({ name, accountMasked }: MemberStockRow) => name || accountMasked

/** The balance of each member; an enterprise allocates to them and reclaims. */
export function MemberStocks({ space }: { space: PageSpace }) {
  const text = useText()
  const t = text.notifications.members
  const eid = space.asked.eid ?? 0
  const { view, source, data } = useNotificationList('members', (ask) => memberStocksQuery(eid, ask))
  const [transfer, ask] = useState<Transfer>()
  const stock = data?.stock ?? 0

  const columns = useMemo(
    (): readonly TableColumn<MemberStockRow>[] => [
      {
        id: 'member',
        title: t.columns.member,
        ...{ width: 160, grow: 2, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: (row) => <NameCell name={nameOf(row)} minor={row.accountMasked} />,
      },
      {
        id: 'stock',
        title: t.columns.stock,
        ...{ width: 90, grow: 0.5, rank: 2 },
        value: (row) => row.stock,
      },
      {
        id: 'allocated',
        title: t.columns.allocated,
        ...{ width: 100, grow: 0.5, rank: 4 },
        value: ({ allocated }) => allocated,
      },
      {
        id: 'used',
        title: t.columns.used,
        ...{ width: 90, grow: 0.5, rank: 3 },
        value: ({ used }) => used,
      },
      {
        id: 'createTime',
        title: t.columns.at,
        ...{ width: 172, rank: 6, card: 'none' },
        value: ({ createTime }) => createTime,
        cell: ({ createTime }) => <ExactTime at={createTime} />,
      },
      actionsColumn<MemberStockRow>(text.table.actions, 176, (member) => (
        <RowActions>
          <Button
            size="small"
            disabled={stock === 0}
            aria-label={t.giveTo(nameOf(member))}
            onClick={() => ask({ member, direction: 'give' })}
          >
            {t.give}
          </Button>
          <Button
            size="small"
            disabled={member.stock === 0}
            aria-label={t.reclaimFrom(nameOf(member))}
            onClick={() => ask({ member, direction: 'takeBack' })}
          >
            {t.reclaim}
          </Button>
        </RowActions>
      )),
    ],
    [t, text, stock],
  )

  return (
    <>
      <DataTable
        title={t.title}
        lead={t.lead}
        view={view}
        source={source}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        fileName={t.title}
        empty={{ icon: 'group', title: t.empty, hint: t.emptyHint }}
      />
      {transfer && <TransferDialog eid={eid} stock={stock} {...transfer} onClose={() => ask(undefined)} />}
    </>
  )
}
