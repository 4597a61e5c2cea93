import {
  type FetchQueryOptions,
  type QueryKey,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { pagedList, type TableSource } from '../../shared/ui/table/table-source.ts'
import { type TableAsk, type TableView, useTableView } from '../../shared/ui/table/use-table-view.ts'

interface Paged<Row> {
  readonly list: readonly Row[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
  readonly isCut?: boolean
}

/** A list that the platform searches, filters and cuts into pages. */
export function useNotificationList<Data extends Paged<unknown>, Key extends QueryKey>(
  id: string,
  queryOf: (ask: TableAsk) => UseQueryOptions<Data, Error, Data, Key>,
): { view: TableView; source: TableSource<Data['list'][number]>; data: Data | undefined } {
  const client = useQueryClient()
  const view = useTableView({ id: `notifications.${id}` })
  const query = useQuery(queryOf(view.ask))
  const isNarrowed = view.ask.search !== '' || Object.keys(view.ask.filters).length > 0
  const whole = useQuery({
    ...queryOf({ page: 1, search: '', sort: null, filters: {} }),
    enabled: isNarrowed && query.data?.total === 0,
  })
  const source = pagedList<Data['list'][number]>(query, {
    ...(isNarrowed && query.data?.total === 0 ? { hasNone: whole.data && whole.data.total === 0 } : {}),
    ...(query.data?.isCut ? { countedMax: query.data.total } : {}),
    load: (page) => {
      const { queryKey, queryFn } = queryOf({ ...view.ask, page })
      return client.fetchQuery({ queryKey, queryFn } as FetchQueryOptions<Data>)
    },
  })
  return { view, source, data: query.data }
}
