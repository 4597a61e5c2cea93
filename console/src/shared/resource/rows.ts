import type { AnswerOf, RequestOf, Route } from '@busbar/contract'
import {
  type FetchQueryOptions,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../api/client.ts'
import { pagedList, type TableSource, wholeList } from '../ui/table/table-source.ts'
import type { TableAsk } from '../ui/table/use-table-view.ts'

/** The names of the fields of a row that hold a value of a type. */
export type FieldOf<Row, Value> = {
  [Field in keyof Row & string]: Row[Field] extends Value ? Field : never
}[keyof Row & string]

/** A value of a row: the name of its field, or the function that finds it. */
export type Reading<Row, Value> = FieldOf<Row, Value> | ((row: Row) => Value)

/** The function behind a reading. */
export function readerOf<Row, Value>(reading: Reading<Row, Value>): (row: Row) => Value {
  return typeof reading === 'function' ? reading : (row) => row[reading as keyof Row] as Value
}

/** The columns by which the platform sorts the answers to a request. */
export type OrderOf<Request> = 'sort' extends keyof Request ? Exclude<Request['sort'], undefined> : never

/** The part of a request that a person's filters and order make. */
export type Wish = Readonly<Record<string, unknown>>

/**
 * The source of a list's rows: `whole`, searched, filtered and sorted here; or `pages` of a route, whose requests decide
 * by which columns the list can be sorted and filtered.
 */
export interface Rows<Row, Request = unknown> {
  /** `wishOf`: what a person's view of the list means to the platform. */
  readonly useSource: (ask: TableAsk, wishOf: (ask: TableAsk) => Wish) => TableSource<Row>
  /** Only in types: the request that its columns and filters become a part of. */
  readonly request?: Request
}

/** All rows of a list at once: the answer of a query, or what `rowsOf` finds in it. */
export function whole<Row, Key extends QueryKey>(query: UseQueryOptions<Row[], Error, Row[], Key>): Rows<Row>
export function whole<Answer, Row, Key extends QueryKey>(
  query: UseQueryOptions<Answer, Error, Answer, Key>,
  rowsOf: (answer: Answer) => readonly Row[],
): Rows<Row>
export function whole<Answer, Row, Key extends QueryKey>(
  query: UseQueryOptions<Answer, Error, Answer, Key>,
  rowsOf?: (answer: Answer) => readonly Row[],
): Rows<Row> {
  return { useSource: () => useWhole(query, rowsOf) }
}

function useWhole<Answer, Row, Key extends QueryKey>(
  query: UseQueryOptions<Answer, Error, Answer, Key>,
  rowsOf: ((answer: Answer) => readonly Row[]) | undefined,
): TableSource<Row> {
  const found = useQuery(query)
  const { data } = found
  // Rows that stay the same keep their identity, so that the table finds nothing to do.
  const rows = useMemo(
    () => data && (rowsOf ? rowsOf(data) : (data as unknown as readonly Row[])),
    [data, rowsOf],
  )
  return wholeList<Row>(found, rows)
}

interface Page<Row> {
  readonly list: readonly Row[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
  /** The platform counted no further than `total`. */
  readonly isCut?: boolean
}

/** The request of a page without what a person's view of the list decides. */
export type Fixed<R extends Route> = Omit<
  RequestOf<R>,
  'page' | 'pageSize' | 'search' | 'blur' | 'sort' | 'order'
>

export interface PageOptions {
  /** Rows of a page. */
  readonly size?: number
  readonly refreshMs?: number
  /** The platform counts no further than this. */
  readonly countedMax?: number
  /** The request's name of what a person searches for. */
  readonly searchField?: 'search' | 'blur'
  /** The words that the platform looks for when a person types these. */
  readonly searchOf?: (typed: string) => string
}

interface PagesOptions<Answer, Row> extends PageOptions {
  /** The key with which the queries of this list begin. */
  readonly under: QueryKey
  /** A row with what its answer says about all rows. */
  readonly rowOf?: (row: ListedOf<Answer>, answer: Answer) => Row
}

type ListedOf<Answer> = Answer extends { list: readonly (infer Row)[] } ? Row : never

/** The most rows of a page that stay fast; a list of fewer is whole, and sorted here by every column. */
const standardSize = 100

/** One page after the other, which the platform searches, filters and sorts. */
export function pages<R extends Route, Row = ListedOf<AnswerOf<R>>>(
  route: R,
  fixed: Fixed<R>,
  options: PagesOptions<AnswerOf<R>, Row>,
): Rows<Row, RequestOf<R>> {
  const {
    under,
    size = standardSize,
    refreshMs,
    countedMax,
    searchOf = (typed) => typed,
    searchField = 'search',
    rowOf,
  } = options

  function queryOf(client: QueryClient, { page, search }: Pick<TableAsk, 'page' | 'search'>, wish: Wish) {
    const words = search === '' ? {} : { [searchField]: searchOf(search) }
    const request = { ...fixed, page, pageSize: size, ...words, ...wish }
    const queryKey: QueryKey = [...under, route.path, request]
    return queryOptions({
      queryKey,
      queryFn: async ({ signal }): Promise<Page<Row>> => {
        // Without rows the list itself says what failed.
        const noNotice = client.getQueryData(queryKey) === undefined
        const answer = await call(route, request as unknown as RequestOf<R>, { signal, noNotice })
        const found = answer as unknown as Page<ListedOf<AnswerOf<R>>>
        return { ...found, list: rowOf ? found.list.map((row) => rowOf(row, answer)) : (found.list as never) }
      },
      placeholderData: keepPreviousData,
      // A list is opened to see how things are now.
      staleTime: 0,
      ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
    })
  }

  return {
    useSource(ask, wishOf) {
      const client = useQueryClient()
      const query = useQuery(queryOf(client, ask, wishOf(ask)))
      const { data } = query
      // If nothing was found, the message depends on whether the list is empty without its search and filters.
      const isNarrowed = ask.search !== '' || Object.keys(ask.filters).length > 0
      const isUnfound = isNarrowed && data?.total === 0
      const all = useQuery({ ...queryOf(client, { page: 1, search: '' }, {}), enabled: isUnfound })
      const counted = data?.isCut ? data.total : countedMax
      return pagedList<Row>(query, {
        ...(isUnfound && { hasNone: all.data && all.data.total === 0 }),
        ...(counted !== undefined && { countedMax: counted }),
        load: (page) => {
          const { queryKey, queryFn } = queryOf(client, { ...ask, page }, wishOf(ask))
          return client.fetchQuery({ queryKey, queryFn } as FetchQueryOptions<Page<Row>>)
        },
      })
    },
  }
}
