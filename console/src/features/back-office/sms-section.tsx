import type { smsStock } from '@busbar/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { ExactTime, NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { useOperatorText } from './operator-text.ts'
import { stocksQuery } from './sms-queries.ts'
import { SmsSalesDialog } from './sms-sales-dialog.tsx'
import { SmsStockDialog } from './sms-stock-dialog.tsx'
import { SmsTemplatesDialog } from './sms-templates-dialog.tsx'
import { useOnly, useOperatorList } from './use-operator-list.ts'

type Row = smsStock.StockRow

const keyOf = ({ owner, id }: Row) => `${owner} ${id}`
const nameOf = ({ name, account }: Row) => name || account

/** The SMS balances of people and enterprises, which operators recharge. */
export function SmsSection(): ReactNode {
  const all = useOperatorText()
  const t = all.sms
  const list = useOperatorList({ id: 'sms', queryOf: stocksQuery })
  const filters = useOnly<Row>(t.columns.owner, t.owners)
  const [change, ask] = useState<{ row: Row; type: smsStock.RechargeType }>()
  const [opened, open] = useState<Row>()
  const [hasTemplates, setTemplates] = useState(false)

  const columns = useMemo(
    (): readonly TableColumn<Row>[] => [
      {
        id: 'owner',
        title: t.columns.owner,
        ...{ width: 190, grow: 2, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: (row) => (
          <NameCell name={nameOf(row)} minor={row.account} tags={<Tag>{t.owners[row.owner]}</Tag>} />
        ),
      },
      {
        id: 'remaining',
        title: t.columns.remaining,
        ...{ width: 100, grow: 0.5, rank: 2 },
        value: ({ remaining }) => remaining,
      },
      {
        id: 'allocated',
        title: t.columns.allocated,
        ...{ width: 100, grow: 0.5, rank: 5 },
        value: ({ allocated }) => allocated,
      },
      {
        id: 'usedMonth',
        title: t.columns.usedMonth,
        ...{ width: 110, grow: 0.5, rank: 3 },
        value: ({ usedMonth }) => usedMonth,
      },
      {
        id: 'rechargedAt',
        title: t.columns.rechargedAt,
        ...{ width: 172, rank: 4 },
        value: ({ rechargedAt }) => rechargedAt,
        cell: ({ rechargedAt }) => <ExactTime at={rechargedAt} />,
      },
      actionsColumn<Row>(
        t.acts,
        210,
        (row) => (
          <RowActions>
            <Button
              size="small"
              onClick={(event) => {
                event.stopPropagation()
                ask({ row, type: 'recharge' })
              }}
            >
              {t.types.recharge}
            </Button>
            <Button
              size="small"
              disabled={row.remaining === 0}
              onClick={(event) => {
                event.stopPropagation()
                ask({ row, type: 'refund' })
              }}
            >
              {t.types.refund}
            </Button>
          </RowActions>
        ),
        'foot',
      ),
    ],
    [t],
  )

  return (
    <>
      <DataTable
        {...list}
        title={all.parts.sms}
        lead={t.lead}
        columns={columns}
        filters={filters}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        fileName={all.parts.sms}
        onOpen={open}
        empty={{ icon: 'mail', title: t.empty, hint: t.emptyHint }}
        actions={
          <>
            <Button onClick={() => setTemplates(true)}>{t.templates.open}</Button>
            <Button icon="refresh" busy={list.source.isFetching} onClick={list.source.retry}>
              {all.refresh}
            </Button>
          </>
        }
      />
      {change && <SmsStockDialog {...change} onClose={() => ask(undefined)} />}
      {hasTemplates && <SmsTemplatesDialog onClose={() => setTemplates(false)} />}
      {opened && <SmsSalesDialog row={opened} onClose={() => open(undefined)} />}
    </>
  )
}
