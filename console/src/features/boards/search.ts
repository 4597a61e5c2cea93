import type { SpanSearch } from '../../entities/history/history-span.ts'
import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { isYes, parseId, type RawSearch } from '../../shared/session/search.ts'

/** The address of the boards: it shows the same to all people with the rights. */
export interface BoardsSearch extends PageSpaceSearch, SpanSearch {
  board?: number
  /** The device in the place of the board's variable. */
  machine?: number
  edit?: true
}

export function boardsSearch(raw: RawSearch): BoardsSearch {
  const [board, machine] = [parseId(raw.board), parseId(raw.machine)]
  const [last, from, until] = [parseId(raw.last), parseId(raw.from), parseId(raw.until)]
  return {
    ...pageSpaceSearch(raw),
    ...(board ? { board } : {}),
    ...(machine ? { machine } : {}),
    ...(last ? { last } : {}),
    ...(from && until && from < until && !last ? { from, until } : {}),
    ...(board && isYes(raw.edit) ? { edit: true } : {}),
  }
}
