import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { isYes, parseId, type RawSearch } from '../../shared/session/search.ts'

/** The address of the reports. */
export interface ReportsSearch extends PageSpaceSearch {
  report?: number
  /** A report that is not saved yet. */
  add?: true
}

export function reportsSearch(raw: RawSearch): ReportsSearch {
  const report = parseId(raw.report)
  return {
    ...pageSpaceSearch(raw),
    ...(report ? { report } : {}),
    ...(!report && isYes(raw.add) ? { add: true } : {}),
  }
}
