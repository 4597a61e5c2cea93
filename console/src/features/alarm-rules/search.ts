import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import type { RawSearch } from '../../shared/session/search.ts'

/** The address of the rules. */
export interface RulesSearch extends PageSpaceSearch {
  /** The device whose rules are shown; without it those of all devices. */
  machine?: number
}

export function rulesSearch(raw: RawSearch): RulesSearch {
  const machine = Number(raw.machine)
  return { ...pageSpaceSearch(raw), ...(Number.isSafeInteger(machine) && machine > 0 ? { machine } : {}) }
}
