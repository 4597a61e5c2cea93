import { limits } from '@busbar/contract'
import { isYes, parseId, type RawSearch } from '../../shared/session/search.ts'
import type { SpanSearch } from './history-span.ts'

/** The parameters of a history in the address: its tags, the time, and the display. */
export interface HistorySearch extends SpanSearch {
  tags?: readonly number[]
  large?: true
  table?: true
  /** The alarm (`a5`), the write (`w5`) or the note (`n5`) that is shown in words. */
  mark?: string
}

export function historySearch(raw: RawSearch): HistorySearch {
  const ids = String(raw.tags ?? '').split(',', limits.tagsPerHistory)
  const tags = [...new Set(ids.map(parseId).filter((id) => id !== undefined))]
  const mark = String(raw.mark ?? '')
  const [last, from, until] = [parseId(raw.last), parseId(raw.from), parseId(raw.until)]
  return {
    ...(tags.length > 0 ? { tags } : {}),
    ...(last ? { last } : {}),
    ...(from && until && from < until && !last ? { from, until } : {}),
    ...(isYes(raw.large) ? { large: true } : {}),
    ...(isYes(raw.table) ? { table: true } : {}),
    ...(/^[awn]\d{1,15}$/.test(mark) ? { mark } : {}),
  }
}
