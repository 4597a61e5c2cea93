import type { smsStock } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { formatExact, formatNumber } from '../../shared/i18n/index.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { DetailDialog } from './detail-dialog.tsx'
import { stockSalesQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

/** The recharges and refunds of one balance, the latest first. */
export function SmsSalesDialog({ row, onClose }: { row: smsStock.StockRow; onClose: () => void }) {
  const t = useOperatorText().sms
  const { data } = useQuery(stockSalesQuery(row))
  return (
    <DetailDialog
      title={t.salesOf(row.name || row.account)}
      facts={
        data
          ? [
              [t.columns.remaining, formatNumber(row.remaining)] as const,
              ...data.list.map(
                (sale) =>
                  [
                    formatExact(sale.createTime),
                    [
                      `${t.types[sale.type]} ${formatNumber(Math.abs(sale.count))}`,
                      t.after(formatNumber(sale.remaining)),
                      sale.by,
                      sale.note,
                    ]
                      .filter(Boolean)
                      .join(' · '),
                  ] as const,
              ),
            ]
          : [[t.columns.remaining, <Skeleton key="loading" height={20} />] as const]
      }
      text={data?.list.length === 0 ? t.noSales : undefined}
      onClose={onClose}
    />
  )
}
