import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import { worstFirst } from '../place/map-features.ts'

/** The worst of the states of a site's machines, in which the site is shown; undefined: none of them is known. */
export function worstState(states: readonly (DisplayState | undefined)[]): DisplayState | undefined {
  const known = new Set(states)
  return worstFirst.find((state) => known.has(state))
}
