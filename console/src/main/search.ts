import type { Lang } from '@busbar/contract'
import { isLang } from '../shared/i18n/language.ts'
import { parseOwnPath } from '../shared/session/own-path.ts'
import type { RawSearch } from '../shared/session/search.ts'

export interface RootSearch {
  lang?: Lang
  client?: 'tv'
}

export interface LoginSearch {
  /** The path of this console that the person wanted to open; undefined if there is none. */
  to?: string | undefined
}

export function rootSearch(raw: RawSearch): RootSearch {
  return {
    ...(isLang(raw.lang) ? { lang: raw.lang } : {}),
    ...(raw.client === 'tv' ? { client: 'tv' as const } : {}),
  }
}

export function loginSearch(raw: RawSearch): LoginSearch {
  // Not left out when undefined, because the router would then keep the raw text of the address.
  return { to: parseOwnPath(raw.to) }
}
