import { smsStock } from '@busbar/contract'
import type { ReactNode } from 'react'
import type { Opens } from '../../shared/resource/acts.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { OperatorList, operatorPages } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'
import { SmsSalesDialog } from './sms-sales-dialog.tsx'
import { SmsStockDialog } from './sms-stock-dialog.tsx'
import { SmsTemplatesDialog } from './sms-templates-dialog.tsx'

type Row = smsStock.StockRow

/** The SMS balances of people and enterprises, which operators recharge. */
export function SmsSection(): ReactNode {
  const all = useOperatorText()
  const t = all.sms
  const change =
    (type: smsStock.RechargeType): Opens<Row> =>
    (close, row) => <SmsStockDialog row={row} type={type} onClose={close} />
  return (
    <OperatorList
      id="operator.sms"
      title={all.parts.sms}
      lead={t.lead}
      rows={operatorPages(smsStock.listStocks, {})}
      rowKey={({ owner, id }) => `${owner} ${id}`}
      titles={t.columns}
      columns={{
        owner: {
          kind: 'name',
          value: ({ name, account }) => name || account,
          minor: ({ account }) => account,
          tags: ({ owner }) => <Tag>{t.owners[owner]}</Tag>,
          width: 190,
          grow: 2,
        },
        remaining: { kind: 'count', value: 'remaining', grow: 0.5, rank: 2 },
        allocated: { kind: 'count', value: 'allocated', grow: 0.5, rank: 5 },
        usedMonth: { kind: 'count', value: 'usedMonth', width: 110, grow: 0.5, rank: 3 },
        rechargedAt: { kind: 'time', value: 'rechargedAt', rank: 4 },
      }}
      filters={{ only: { title: t.columns.owner, choices: t.owners } }}
      search={t.search}
      isRefreshed
      also={[{ label: t.templates.open, opens: (close) => <SmsTemplatesDialog onClose={close} /> }]}
      opens={(close, row) => <SmsSalesDialog row={row} onClose={close} />}
      acts={[
        { label: t.types.recharge, opens: change('recharge') },
        { label: t.types.refund, isOff: ({ remaining }) => remaining === 0, opens: change('refund') },
      ]}
      empty={{ icon: 'mail', title: t.empty, hint: t.emptyHint }}
    />
  )
}
