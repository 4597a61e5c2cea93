import { limits } from '@busbar/contract'
import { type SpanSearch, spanMs } from '../../entities/history/history-span.ts'
import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { isYes, parseId, type RawSearch } from '../../shared/session/search.ts'

/** The display; curves by default. */
export const explorerForms = ['table', 'xy'] as const
export type ExplorerForm = (typeof explorerForms)[number]

/** The address of the explorer: it shows the same to all people with the rights. */
export interface ExplorerSearch extends PageSpaceSearch, SpanSearch {
  tags?: readonly number[]
  /** Offset of the compared period, in milliseconds. */
  compare?: number
  /** Each variable has a separate chart. */
  apart?: true
  form?: ExplorerForm
  /** The variables of the two axes, if they are not the first two. */
  x?: number
  y?: number
  mark?: string
}

/** The least and the greatest distance of a compared period. */
export const compareMs = { min: 60_000, max: 400 * 86_400_000 } as const

export function explorerSearch(raw: RawSearch): ExplorerSearch {
  const ids = String(raw.tags ?? '').split(',', limits.tagsPerHistory)
  const tags = [...new Set(ids.map(parseId).filter((id) => id !== undefined))]
  const [last, from, until] = [parseId(raw.last), parseId(raw.from), parseId(raw.until)]
  const [compare, x, y] = [parseId(raw.compare), parseId(raw.x), parseId(raw.y)]
  const form = explorerForms.find((one) => one === raw.form)
  const mark = String(raw.mark ?? '')
  return {
    ...pageSpaceSearch(raw),
    ...(tags.length > 0 ? { tags } : {}),
    ...(last ? { last: Math.min(last, spanMs.max) } : {}),
    ...(from && until && from < until && !last ? { from, until } : {}),
    ...(compare && compare >= compareMs.min && compare <= compareMs.max ? { compare } : {}),
    ...(isYes(raw.apart) ? { apart: true } : {}),
    ...(form ? { form } : {}),
    ...(x && y && form === 'xy' ? { x, y } : {}),
    ...(/^[awn]\d{1,15}$/.test(mark) ? { mark } : {}),
  }
}
