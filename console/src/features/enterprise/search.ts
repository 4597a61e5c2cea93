import { parseId, type RawSearch } from '../../shared/session/search.ts'

export const manageTabs = ['members', 'teams', 'groups', 'maintenance', 'audit', 'settings'] as const
export type ManageTab = (typeof manageTabs)[number]

/** The sections that a member has: the audit log is for owners and administrators. */
export const manageTabsOf = ({ role }: { readonly role: string }) =>
  manageTabs.filter((tab) => tab !== 'audit' || role !== 'member')

/** The open section in the administration of an enterprise. */
export interface ManageSearch {
  eid?: number
  tab?: ManageTab
}

export function manageSearch(raw: RawSearch): ManageSearch {
  const eid = parseId(raw.eid)
  const tab = manageTabs.find((known) => known === raw.tab)
  return { ...(eid ? { eid } : {}), ...(tab ? { tab } : {}) }
}
