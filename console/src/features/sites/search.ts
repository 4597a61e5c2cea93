import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { isYes, parseId, type RawSearch } from '../../shared/session/search.ts'

/** The address of the sites: it shows the same to all people with the rights. */
export interface SitesSearch extends PageSpaceSearch {
  site?: number
  plan?: number
  /** The device whose card is open. */
  machine?: number
  edit?: true
}

export function sitesSearch(raw: RawSearch): SitesSearch {
  const [site, plan, machine] = [parseId(raw.site), parseId(raw.plan), parseId(raw.machine)]
  return {
    ...pageSpaceSearch(raw),
    ...(site ? { site } : {}),
    ...(site && plan ? { plan } : {}),
    ...(site && machine ? { machine } : {}),
    ...(site && isYes(raw.edit) ? { edit: true } : {}),
  }
}
