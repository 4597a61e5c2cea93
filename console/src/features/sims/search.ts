import { iccidPattern, type SimState, simLimits, simStates } from '@busbar/contract'
import { daysLeftChoices, usedPercentChoices } from '../../entities/sim/sim-choices.ts'
import { type PageSpaceSearch, pageSpaceSearch } from '../../shared/session/page-space-search.ts'
import { parseId, parseText, type RawSearch } from '../../shared/session/search.ts'

/** The filters of the list of cards, as its address has them. */
export interface SimFilters {
  state?: SimState
  planId?: number
  carrier?: string
  daysLeft?: (typeof daysLeftChoices)[number]
  usedPercent?: (typeof usedPercentChoices)[number]
}

/** The open parts of the list of cards. */
export interface SimsSearch extends PageSpaceSearch, SimFilters {
  q?: string
  /** The card in the pane. */
  iccid?: string
}

export function simsSearch(raw: RawSearch): SimsSearch {
  const q = parseText(raw.q)
  const iccid = parseText(raw.iccid)
  const state = simStates.find((known) => known === raw.state)
  const planId = parseId(raw.planId)
  const carrier = parseText(raw.carrier)?.slice(0, simLimits.accountNameMax)
  const daysLeft = daysLeftChoices.find((known) => known === Number(raw.daysLeft))
  const usedPercent = usedPercentChoices.find((known) => known === Number(raw.usedPercent))
  return {
    ...pageSpaceSearch(raw),
    ...(q ? { q } : {}),
    ...(iccid && iccidPattern.test(iccid) ? { iccid } : {}),
    ...(state ? { state } : {}),
    ...(planId ? { planId } : {}),
    ...(carrier ? { carrier } : {}),
    ...(daysLeft ? { daysLeft } : {}),
    ...(usedPercent ? { usedPercent } : {}),
  }
}
