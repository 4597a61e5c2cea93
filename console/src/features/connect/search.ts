import { parseId, type RawSearch } from '../../shared/session/search.ts'

/** The device that is being connected, and the enterprise that owns it. */
export interface ConnectSearch {
  /** Undefined before it is registered. */
  machineId?: number
  /** Undefined for the personal list. */
  eid?: number
}

export function connectSearch(raw: RawSearch): ConnectSearch {
  const machineId = parseId(raw.machineId)
  const eid = parseId(raw.eid)
  return { ...(machineId ? { machineId } : {}), ...(eid ? { eid } : {}) }
}
