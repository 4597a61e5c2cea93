import type { Lang } from '@busbar/contract'
import { isLang } from '../shared/i18n/language.ts'
import { parseOwnPath } from '../shared/session/own-path.ts'
import type { RawSearch } from '../shared/session/search.ts'

export interface RootSearch {
  lang?: Lang
  client?: 'tv'
}

export interface LoginSearch {
  /** The path of this console that the person wanted to open; undefined: none. */
  to?: string | undefined
}

export function rootSearch(raw: RawSearch): RootSearch {
  return {
    ...(isLang(raw.lang) ? { lang: raw.lang } : {}),
    ...(raw.client === 'tv' ? { client: 'tv' as const } : {}),
  }
}

export function loginSearch(raw: RawSearch): LoginSearch {
  // Always there: beside a value that is left out, the router keeps the one the address has.
  return { to: parseOwnPath(raw.to) }
}
