import { type PastSearch, pastSearch } from '../../entities/history/history-search.ts'
import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { isYes, parseId, type RawSearch } from '../../shared/session/search.ts'

/** The display; curves by default. */
export const explorerForms = ['table', 'xy'] as const
export type ExplorerForm = (typeof explorerForms)[number]

/** The address of the explorer: it shows the same to all people with the rights. */
export interface ExplorerSearch extends PageSpaceSearch, PastSearch {
  /** Offset of the compared period, in milliseconds. */
  compare?: number
  /** Each variable has a separate chart. */
  apart?: true
  form?: ExplorerForm
  /** The variables of the two axes, if they are not the first two. */
  x?: number
  y?: number
}

/** The distances of a compared period one press away. */
export const comparePresets = { day: 86_400_000, week: 7 * 86_400_000 } as const
export type ComparePreset = keyof typeof comparePresets

/** The least and the greatest distance of a compared period. */
export const compareMs = { min: 60_000, max: 400 * 86_400_000 } as const

export function explorerSearch(raw: RawSearch): ExplorerSearch {
  const [compare, x, y] = [parseId(raw.compare), parseId(raw.x), parseId(raw.y)]
  const form = explorerForms.find((one) => one === raw.form)
  return {
    ...pageSpaceSearch(raw),
    ...pastSearch(raw),
    ...(compare && compare >= compareMs.min && compare <= compareMs.max ? { compare } : {}),
    ...(isYes(raw.apart) ? { apart: true } : {}),
    ...(form ? { form } : {}),
    ...(x && y && form === 'xy' ? { x, y } : {}),
  }
}
