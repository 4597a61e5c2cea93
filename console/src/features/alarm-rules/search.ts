import { type AlarmSpaceSearch, alarmSpaceSearch } from '../../entities/alarm/alarm-space-search.ts'
import type { RawSearch } from '../../shared/session/search.ts'

/** The address of the rules. */
export interface RulesSearch extends AlarmSpaceSearch {
  /** The device whose rules are shown; without it the first one. */
  machine?: number
}

export function rulesSearch(raw: RawSearch): RulesSearch {
  const machine = Number(raw.machine)
  return { ...alarmSpaceSearch(raw), ...(Number.isSafeInteger(machine) && machine > 0 ? { machine } : {}) }
}
