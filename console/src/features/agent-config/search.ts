import { parseId, type RawSearch } from '../../shared/session/search.ts'

/** The device whose drivers are shown. */
export interface DriversSearch {
  machineId?: number
}

export function driversSearch(raw: RawSearch): DriversSearch {
  const machineId = parseId(raw.machineId)
  return machineId ? { machineId } : {}
}
