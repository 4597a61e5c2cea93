import { limits } from '@busbar/contract'
import { isYes, parseId, type RawSearch } from '../../shared/session/search.ts'
import { type SpanSearch, spanMs } from './history-span.ts'

/** The parameters of every history in the address: its tags, the time, and the mark. */
export interface PastSearch extends SpanSearch {
  tags?: readonly number[]
  /** The alarm (`a5`), the write (`w5`) or the note (`n5`) that is shown in words. */
  mark?: string
}

/** Those of the history of a device, with its display. */
export interface HistorySearch extends PastSearch {
  large?: true
  table?: true
}

export function pastSearch(raw: RawSearch): PastSearch {
  const ids = String(raw.tags ?? '').split(',', limits.tagsPerHistory)
  const tags = [...new Set(ids.map(parseId).filter((id) => id !== undefined))]
  const mark = String(raw.mark ?? '')
  const [last, from, until] = [parseId(raw.last), parseId(raw.from), parseId(raw.until)]
  return {
    ...(tags.length > 0 ? { tags } : {}),
    ...(last ? { last: Math.min(last, spanMs.max) } : {}),
    ...(from && until && from < until && !last ? { from, until } : {}),
    ...(/^[awn]\d{1,15}$/.test(mark) ? { mark } : {}),
  }
}

export function historySearch(raw: RawSearch): HistorySearch {
  return {
    ...pastSearch(raw),
    ...(isYes(raw.large) ? { large: true } : {}),
    ...(isYes(raw.table) ? { table: true } : {}),
  }
}
