import { views } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import type { ExplorerSearch } from './search.ts'

export type SavedView = views.View

export const viewsKey = ['views'] as const

export function viewsQuery(asked: PageSpace['asked']) {
  return queryOptions({
    queryKey: [...viewsKey, asked],
    queryFn: ({ signal }) => call(views.listViews, asked, { signal, noNotice: true }),
    staleTime: 0,
  })
}

/** The part of an address that a view keeps. */
export function stateOf(search: ExplorerSearch, lastMs: number): views.ViewState {
  const { tags = [], last, from, until, compare, apart, form, x, y } = search
  const span = from !== undefined && until !== undefined ? { from, until } : { last: last ?? lastMs }
  return {
    tags: [...tags],
    ...span,
    ...(compare === undefined ? {} : { compare }),
    ...(apart ? { apart } : {}),
    ...(form === undefined ? {} : { form }),
    ...(x === undefined || y === undefined ? {} : { x, y }),
  }
}

/** An address without what a view keeps, for one that is opened. */
export const emptySearch = {
  tags: undefined,
  last: undefined,
  from: undefined,
  until: undefined,
  compare: undefined,
  apart: undefined,
  form: undefined,
  x: undefined,
  y: undefined,
  mark: undefined,
} as const
