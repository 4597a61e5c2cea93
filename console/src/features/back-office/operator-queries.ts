import { operator, smsStock } from '@busbar/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../shared/api/client.ts'
import { useLang } from '../../shared/i18n/index.ts'
import { type MeasuredOverview, withRates } from './overview-rates.ts'

const overviewEveryMs = 10_000
/** Rates need two looks: the second comes soon. */
const secondLookMs = 1_000
export const jobsEveryMs = 5_000

/** The key with which all queries of the back office begin. */
export const operatorKey = ['operator'] as const

const overviewKey = [...operatorKey, 'overview'] as const

/** The figures of the platform, with rates since the previous answer. */
export const overviewQuery = queryOptions({
  queryKey: overviewKey,
  queryFn: async ({ client, signal }) =>
    withRates(
      await call(operator.getOverview, {}, { signal }),
      client.getQueryData<MeasuredOverview>(overviewKey),
    ),
  refetchInterval: ({ state }) => (state.data && !state.data.rates ? secondLookMs : overviewEveryMs),
})

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: [...operatorKey, 'user', id],
    queryFn: ({ signal }) => call(operator.getUser, { id }, { signal, noNotice: true }),
  })

export const machineQuery = (id: number) =>
  queryOptions({
    queryKey: [...operatorKey, 'machine', id],
    queryFn: ({ signal }) => call(operator.getMachine, { id }, { signal, noNotice: true }),
  })

export const enterpriseQuery = (eid: number) =>
  queryOptions({
    queryKey: [...operatorKey, 'enterprise', eid],
    queryFn: ({ signal }) => call(operator.getEnterprise, { eid }, { signal, noNotice: true }),
  })

/** Brands to choose from. */
export const everyBrandQuery = queryOptions({
  queryKey: [...operatorKey, 'brands', 'every'],
  queryFn: ({ signal }) => call(operator.listBrands, { page: 1, pageSize: 200, only: 'used' }, { signal }),
})

/** The largest number of types, so that one page holds all. */
export const machineTypesMax = 200

/** All of them, in the order they are tried. */
export const everyMachineTypeQuery = queryOptions({
  queryKey: [...operatorKey, 'machineTypes', 'every'],
  queryFn: ({ signal }) => call(operator.listMachineTypes, { pageSize: machineTypesMax }, { signal }),
})

/** All map sources, with what the form and the warning need beside them. */
export const everyTileSourceQuery = queryOptions({
  queryKey: [...operatorKey, 'tileSources', 'every'],
  queryFn: ({ signal }) => call(operator.listTileSources, { pageSize: 200 }, { signal }),
})

/** Names machine types in the reader's language; a type without a name keeps its code. */
export function useTypeNames(): (type: string) => string {
  const lang = useLang()
  const { data } = useQuery(everyMachineTypeQuery)
  return useMemo(() => {
    const names = new Map(data?.list.map(({ type, name }) => [type, name[lang]]))
    return (type) => names.get(type) || type
  }, [data, lang])
}

export const jobsOverviewQuery = queryOptions({
  queryKey: [...operatorKey, 'jobsOverview'],
  queryFn: ({ signal }) => call(operator.getJobsOverview, {}, { signal }),
  refetchInterval: jobsEveryMs,
})

/** The parameters that name the owner of a balance. */
export const ownerOf = ({ owner, id }: Pick<smsStock.StockRow, 'owner' | 'id'>) =>
  owner === 'user' ? { userId: id } : { eid: id }

/** The latest recharges and refunds of one balance. */
export const stockSalesQuery = (row: smsStock.StockRow) =>
  queryOptions({
    queryKey: [...operatorKey, 'sms-sales', row.owner, row.id],
    queryFn: ({ signal }) =>
      call(smsStock.listStockSales, { ...ownerOf(row), page: 1, pageSize: 200 }, { signal }),
    staleTime: 0,
  })

/** The templates of every brand. */
export const smsTemplatesQuery = queryOptions({
  queryKey: [...operatorKey, 'sms-templates'],
  queryFn: ({ signal }) => call(smsStock.listSmsTemplates, {}, { signal }),
  staleTime: 0,
})
