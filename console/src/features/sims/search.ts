import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { parseText, type RawSearch } from '../../shared/session/search.ts'

/** The filters of the list of cards. */
export const simFilterNames = ['state', 'planId', 'carrier', 'daysLeft', 'usedPercent'] as const
export type SimFilterName = (typeof simFilterNames)[number]

const names = ['q', 'iccid', ...simFilterNames] as const

/** The search of the list of cards, the card in its pane, and its filters, which the page checks. */
export type SimsSearch = PageSpaceSearch & { [Name in (typeof names)[number]]?: string }

export function simsSearch(raw: RawSearch): SimsSearch {
  const texts = names.flatMap((name) => {
    const text = parseText(raw[name])
    return text ? [[name, text] as const] : []
  })
  return { ...pageSpaceSearch(raw), ...Object.fromEntries(texts) }
}
