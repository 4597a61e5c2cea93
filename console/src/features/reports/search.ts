import { reportLimits } from '@busbar/contract'
import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { isYes, parseId, type RawSearch } from '../../shared/session/search.ts'

/** The address of the reports. */
export interface ReportsSearch extends PageSpaceSearch {
  report?: number
  /** A report that is not saved yet. */
  add?: true
  /** The variables that it begins with, by id. */
  tags?: readonly number[]
}

export function reportsSearch(raw: RawSearch): ReportsSearch {
  const report = parseId(raw.report)
  const isNew = !report && isYes(raw.add)
  const ids = String(raw.tags ?? '').split(',', reportLimits.tagsPerReport)
  const tags = [...new Set(ids.map(parseId).filter((id) => id !== undefined))]
  return {
    ...pageSpaceSearch(raw),
    ...(report ? { report } : {}),
    ...(isNew ? { add: true } : {}),
    ...(isNew && tags.length > 0 ? { tags } : {}),
  }
}
