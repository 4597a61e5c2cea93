import type { RawSearch } from './search.ts'
import { parseEid } from './space.ts'

/** The space of a page of the alarm centre or of the data centre, as its address has it. */
export interface PageSpaceSearch {
  /** An enterprise, or 0 for the personal space; by default the space used last. */
  eid?: number
}

export function pageSpaceSearch(raw: RawSearch): PageSpaceSearch {
  const eid = parseEid(raw.eid)
  return eid === undefined ? {} : { eid }
}
