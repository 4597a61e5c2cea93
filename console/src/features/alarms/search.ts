import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { parseId, type RawSearch } from '../../shared/session/search.ts'

/** The open parts of the list of alarms. */
export interface AlarmsSearch extends PageSpaceSearch {
  /** Id of the alarm in the pane. */
  alarm?: number
  /** Only alarms of this device. */
  machine?: number
}

export function alarmsSearch(raw: RawSearch): AlarmsSearch {
  const [alarm, machine] = [parseId(raw.alarm), parseId(raw.machine)]
  return {
    ...pageSpaceSearch(raw),
    ...(alarm ? { alarm } : {}),
    ...(machine ? { machine } : {}),
  }
}
