import { exportLimits } from '@busbar/contract'
import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { parseId, parseText, type RawSearch } from '../../shared/session/search.ts'

/** The address of the exports. With variables it opens the form that makes an export of them. */
export interface ExportsSearch extends PageSpaceSearch {
  /** Ids, separated by commas. */
  tags?: string
  /** Epoch milliseconds, `to` excluded. */
  from?: number
  to?: number
  /** The time zone of the file. */
  tz?: string
}

export function exportsSearch(raw: RawSearch): ExportsSearch {
  const tags = parseTags(raw.tags).join()
  const [from, to] = [parseId(raw.from), parseId(raw.to)]
  const tz = parseText(raw.tz)
  return {
    ...pageSpaceSearch(raw),
    ...(tags ? { tags } : {}),
    ...(from && to && from < to ? { from, to } : {}),
    ...(tz ? { tz } : {}),
  }
}

/** The ids of an address, each once; invalid ids are left out. */
export function parseTags(value: unknown): number[] {
  const ids = String(value ?? '')
    .slice(0, 10_000)
    .split(',')
    .flatMap((part) => parseId(part) ?? [])
  return [...new Set(ids)].slice(0, exportLimits.exportTagsMax)
}
