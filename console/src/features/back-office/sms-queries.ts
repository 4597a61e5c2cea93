import { smsStock } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { chosenOf } from '../../shared/ui/table/filter.ts'
import type { TableAsk } from '../../shared/ui/table/use-table-view.ts'
import { onlyId, operatorKey, rowsPerPage } from './operator-queries.ts'

type Owner = smsStock.StockRow['owner']

export function stocksQuery({ page, search, filters }: TableAsk) {
  const only = chosenOf<Owner>(filters, onlyId)
  const wish = {
    ...{ page, pageSize: rowsPerPage },
    ...(search ? { search } : {}),
    ...(only ? { only } : {}),
  }
  return queryOptions({
    queryKey: [...operatorKey, 'sms', wish],
    queryFn: ({ signal }) => call(smsStock.listStocks, wish, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** The parameters that name the owner of a balance. */
export const ownerOf = ({ owner, id }: Pick<smsStock.StockRow, 'owner' | 'id'>) =>
  owner === 'user' ? { userId: id } : { eid: id }

/** The latest recharges and refunds of one balance. */
export function stockSalesQuery(row: smsStock.StockRow) {
  return queryOptions({
    queryKey: [...operatorKey, 'sms-sales', row.owner, row.id],
    queryFn: ({ signal }) =>
      call(smsStock.listStockSales, { ...ownerOf(row), page: 1, pageSize: 200 }, { signal }),
    staleTime: 0,
  })
}

/** The templates of every brand. */
export const templatesQuery = queryOptions({
  queryKey: [...operatorKey, 'sms-templates'],
  queryFn: ({ signal }) => call(smsStock.listSmsTemplates, {}, { signal }),
  staleTime: 0,
})
