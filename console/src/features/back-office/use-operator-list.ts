import {
  type FetchQueryOptions,
  type QueryKey,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { pagedList, type TableSource } from '../../shared/ui/table/table-source.ts'
import type { ListFilter } from '../../shared/ui/table/use-rows.ts'
import { type TableAsk, type TableView, useTableView } from '../../shared/ui/table/use-table-view.ts'
import { onlyId } from './operator-queries.ts'

interface Paged<Row> {
  readonly list: readonly Row[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

interface OperatorListOptions<Data extends Paged<unknown>, Key extends QueryKey> {
  readonly id: string
  readonly queryOf: (ask: TableAsk) => UseQueryOptions<Data, Error, Data, Key>
  /** The first filter of the list. */
  readonly only?: string
  readonly countedMax?: number
}

/** A list of the back office: page after page, searched and filtered by the platform. */
export function useOperatorList<Data extends Paged<unknown>, Key extends QueryKey>(
  options: OperatorListOptions<Data, Key>,
): { view: TableView; source: TableSource<Data['list'][number]> } {
  const { id, queryOf, only, countedMax } = options
  const client = useQueryClient()
  const view = useTableView({
    id: `operator.${id}`,
    ...(only !== undefined && { filters: { [onlyId]: { kind: 'choice', chosen: [only] } } }),
  })
  const query = useQuery(queryOf(view.ask))
  // If nothing was found, the message depends on whether the unfiltered list is empty.
  const isNarrowed = view.ask.search !== '' || Object.keys(view.ask.filters).length > 0
  const all = useQuery({
    ...queryOf({ page: 1, search: '', sort: null, filters: {} }),
    enabled: isNarrowed && query.data?.total === 0,
  })
  const source = pagedList<Data['list'][number]>(query, {
    ...(isNarrowed && query.data?.total === 0 && { hasNone: all.data && all.data.total === 0 }),
    ...(countedMax !== undefined && { countedMax }),
    load: (page) => {
      const { queryKey, queryFn } = queryOf({ ...view.ask, page })
      return client.fetchQuery({ queryKey, queryFn } as FetchQueryOptions<Data>)
    },
  })
  return { view, source }
}

/** The filter that narrows a list to one kind of its rows, by the words of each. */
export function useOnly<Row>(title: string, choices: Readonly<Record<string, string>>): ListFilter<Row>[] {
  return useMemo(
    () => [{ id: onlyId, title, filter: { kind: 'choice', choices, isSingle: true } }],
    [title, choices],
  )
}
