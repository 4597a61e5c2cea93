import type { RawSearch } from '../../shared/session/search.ts'
import { parseEid } from '../../shared/session/space.ts'

/** The space of a page of the alarm centre, as its address has it. */
export interface AlarmSpaceSearch {
  /** An enterprise, or 0 for the personal space; without it the space one was in last. */
  eid?: number
}

export function alarmSpaceSearch(raw: RawSearch): AlarmSpaceSearch {
  const eid = parseEid(raw.eid)
  return eid === undefined ? {} : { eid }
}
