import type { visits } from '@busbar/contract'
import type { ChangesText } from './changes-text.ts'

type Change = visits.VisitChange

/** The place in the controller that a tool wrote; empty where the platform or a page wrote a variable. */
function placeOf({ place, unit }: Change, t: ChangesText): string {
  if (place === null) return ''
  return unit === null ? place : t.place(place, unit)
}

/** The variable, or the place that has none. */
export const subjectOf = (change: Change, t: ChangesText): string => change.tag || placeOf(change, t)

/** How it was changed, with the place in the controller where the subject does not tell it. */
export function wayWords(change: Change, t: ChangesText): string {
  const place = change.tag && placeOf(change, t)
  const ways = change.ways.map((way) => t.ways[way](change.port ?? ''))
  return [...ways, place].filter(Boolean).join(' · ')
}
