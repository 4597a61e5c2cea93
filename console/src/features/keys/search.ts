import { parseId, type RawSearch } from '../../shared/session/search.ts'

export const administrationTabs = [
  'now',
  'applications',
  'visitors',
  'times',
  'bkeys',
  'blacklist',
  'visits',
  'projects',
  'settings',
] as const
export type AdministrationTab = (typeof administrationTabs)[number]

/** The open section in the administration of a machine. */
export interface AdministrationSearch {
  machineId?: number
  tab?: AdministrationTab
}

export function administrationSearch(raw: RawSearch): AdministrationSearch {
  const machineId = parseId(raw.machineId)
  const tab = administrationTabs.find((known) => known === raw.tab)
  return { ...(machineId ? { machineId } : {}), ...(tab ? { tab } : {}) }
}
