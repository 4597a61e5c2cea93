import { type BoardLayout, boardLimits, boards, type Lang } from '@busbar/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'

export type Board = boards.Board
export type BoardRow = boards.BoardRow

/** The key with which all queries of boards begin. */
export const boardsKey = ['boards'] as const
/** Interval at which an open board is reloaded, which also keeps its changes pushed. */
const openMs = 5 * 60_000
/** Names and limits of variables are not pushed. */
const tagsMs = 60_000

export function boardListQuery(asked: PageSpace['asked']) {
  return queryOptions({
    queryKey: [...boardsKey, 'list', asked],
    queryFn: ({ signal }) => call(boards.listBoards, { ...asked }, { signal, noNotice: true }),
    staleTime: 0,
  })
}

/** The boards that were deleted lately, page by page. */
export function deletedBoardsQuery(asked: PageSpace['asked']) {
  return infiniteQueryOptions({
    queryKey: [...boardsKey, 'list', asked, 'deleted'],
    queryFn: ({ signal, pageParam: page }) =>
      call(boards.listBoards, { ...asked, deleted: true, page }, { signal, noNotice: true }),
    initialPageParam: 1,
    getNextPageParam: (rows, pages) =>
      rows.length < boardLimits.deletedBoardsPerPage ? undefined : pages.length + 1,
    staleTime: 0,
  })
}

export const boardKey = (id: number) => [...boardsKey, 'one', id] as const

export function boardQuery(id: number) {
  return queryOptions({
    queryKey: boardKey(id),
    queryFn: ({ signal }) => call(boards.getBoard, { id }, { signal, noNotice: true }),
    refetchInterval: openMs,
    staleTime: 0,
    retry: false,
  })
}

export function boardVersionsQuery(id: number) {
  return queryOptions({
    queryKey: [...boardsKey, 'versions', id],
    queryFn: ({ signal }) => call(boards.listBoardVersions, { id }, { signal, noNotice: true }),
    staleTime: 0,
  })
}

export const boardSharesKey = (id: number) => [...boardsKey, 'shares', id] as const

export function boardSharesQuery(id: number) {
  return queryOptions({
    queryKey: boardSharesKey(id),
    queryFn: ({ signal }) => call(boards.listBoardShares, { id }, { signal, noNotice: true }),
    staleTime: 0,
  })
}

export function boardTemplatesQuery(asked: PageSpace['asked']) {
  return queryOptions({
    queryKey: [...boardsKey, 'templates', asked],
    queryFn: ({ signal }) => call(boards.listBoardTemplates, asked, { signal, noNotice: true }),
    staleTime: 0,
  })
}

/** The variables and machines that tiles name, of machines by id. */
export interface Wanted {
  readonly tags: readonly { readonly machine: number; readonly group: string; readonly tag: string }[]
  readonly machines: readonly number[]
}

/** Machines, variables and newest values of a whole board with one call. */
export function boardTagsQuery(wanted: Wanted, lang: Lang) {
  return queryOptions({
    queryKey: [...boardsKey, 'tags', wanted, lang],
    queryFn: ({ signal }) =>
      call(
        boards.lookUpBoardTags,
        { tags: [...wanted.tags], machines: [...wanted.machines] },
        { signal, noNotice: true },
      ),
    enabled: wanted.tags.length + wanted.machines.length > 0,
    refetchInterval: tagsMs,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  })
}

/** The enterprise as which tiles ask; null: the reader. A shared board is asked about in the space that it is open in. */
export const tileEidOf = (board: Board, space: PageSpace): number | null =>
  board.sharedBy === null ? board.eid : (space.asked.eid ?? null)

/** The board that a new one begins with. */
export const emptyLayout: BoardLayout = { variable: null, range: { lastMs: 3_600_000 }, tiles: [] }
