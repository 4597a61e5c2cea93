import { ApiError } from '@busbar/contract'
import type { UseQueryResult } from '@tanstack/react-query'

/** The source of a list's rows: all of them, or the page that the platform searched, filtered and sorted. */
export interface TableSource<Row> {
  /** Undefined until the first answer. */
  readonly rows: readonly Row[] | undefined
  readonly isFailed: boolean
  /** The person may not read the list. */
  readonly isRefused: boolean
  readonly isFetching: boolean
  readonly retry: () => void
  /** Set: the rows are one page, and the platform does the rest. */
  readonly page?: TablePage<Row>
}

export interface TablePage<Row> {
  readonly total: number
  /** Counted from 1. */
  readonly page: number
  readonly pageSize: number
  /** Whether the list is empty without its search and filters; undefined if unknown. */
  readonly hasNone?: boolean | undefined
  /** The platform counts no further than this. */
  readonly countedMax?: number | undefined
  /** Another page of the same query, for an export. */
  readonly load?: ((page: number) => Promise<{ readonly list: readonly Row[] }>) | undefined
}

/** Whether the whole list is loaded, so that it can be sorted here. */
export function isWhole<Row>({ page, rows }: TableSource<Row>): boolean {
  return page === undefined || (rows !== undefined && page.page === 1 && page.total <= rows.length)
}

interface Paged<Row> {
  readonly list: readonly Row[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

type Query<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'isError' | 'isFetching' | 'refetch'>

/**
 * A list that is loaded as a whole: searched, filtered and sorted here. `rows`: their list, if the answer is
 * not the list itself.
 */
export function wholeList<Row>(query: Query<readonly Row[]>): TableSource<Row>
export function wholeList<Row>(query: Query<unknown>, rows: readonly Row[] | undefined): TableSource<Row>
export function wholeList<Row>(
  query: Query<unknown>,
  ...[rows]: [rows?: readonly Row[] | undefined]
): TableSource<Row> {
  return { ...stateOf(query), rows: rows ?? (query.data as readonly Row[] | undefined) }
}

interface PagedOptions<Row> {
  readonly hasNone?: boolean | undefined
  readonly countedMax?: number
  readonly load?: TablePage<Row>['load']
}

/** One page of a list: the platform searches, filters and sorts it. */
export function pagedList<Row>(query: Query<Paged<Row>>, options: PagedOptions<Row> = {}): TableSource<Row> {
  const { data } = query
  const { total = 0, page = 1, pageSize = 1 } = data ?? {}
  return { ...stateOf(query), rows: data?.list, page: { total, page, pageSize, ...options } }
}

function stateOf({ data, error, isError, isFetching, refetch }: Query<unknown>) {
  return {
    isRefused: error instanceof ApiError && error.isForbidden,
    isFailed: isError && data === undefined,
    isFetching,
    retry: () => void refetch(),
  }
}
