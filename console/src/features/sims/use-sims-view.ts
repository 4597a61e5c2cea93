import { simLimits, simStates } from '@busbar/contract'
import { useEffect, useMemo, useRef } from 'react'
import { daysLeftChoices, usedPercentChoices } from '../../entities/sim/sim-choices.ts'
import { parseId } from '../../shared/session/search.ts'
import type { Filters, FilterValue } from '../../shared/ui/table/filter.ts'
import { type TableView, useTableView } from '../../shared/ui/table/use-table-view.ts'
import { type SimFilterName, type SimsSearch, simFilterNames } from './search.ts'
import { useSimsSearch } from './use-sims-search.ts'

const isOneOf = (choices: readonly (string | number)[]) => (text: string) =>
  choices.some((choice) => String(choice) === text)

const checks: Readonly<Record<SimFilterName, (text: string) => boolean>> = {
  state: isOneOf(simStates),
  planId: (text) => parseId(text) !== undefined,
  carrier: (text) => text.length <= simLimits.accountNameMax,
  daysLeft: isOneOf(daysLeftChoices),
  usedPercent: isOneOf(usedPercentChoices),
}

/** The filters of an address, without those that the list does not know. */
const filtersOf = (search: SimsSearch): Filters =>
  Object.fromEntries(
    simFilterNames.flatMap((name) => {
      const value = search[name]
      const isKnown = value !== undefined && checks[name](value)
      return isKnown ? [[name, { kind: 'choice', chosen: [value] }] as const] : []
    }),
  )

const none = Object.fromEntries([...simFilterNames, 'q'].map((name) => [name, undefined]))

/** The state of the list of cards, whose search and filters are in the address: a reload and a link keep them. */
export function useSimsView(): TableView {
  const [search, update] = useSimsSearch()
  const { q = '' } = search
  const view = useTableView({ id: 'sims', search: q })
  const filters = useMemo(() => filtersOf(search), [search])
  const asked = view.ask.search
  const { type } = view
  // The address follows when typing pauses; another address is another search.
  const inAddress = useRef(q)
  useEffect(() => {
    if (q === inAddress.current) return
    inAddress.current = q
    type(q)
  }, [q, type])
  useEffect(() => {
    if (asked === inAddress.current) return
    inAddress.current = asked
    update({ q: asked || undefined }, { replace: true })
  }, [asked, update])

  return {
    ...view,
    ask: { ...view.ask, filters },
    isChanged: view.typed !== '' || Object.keys(filters).length > 0,
    setFilter(name: string, value: FilterValue | undefined) {
      const [chosen] = value?.kind === 'choice' ? value.chosen : []
      update({ [name]: chosen }, { replace: true })
      view.turnTo(1)
    },
    clear() {
      view.clear()
      inAddress.current = ''
      update(none, { replace: true })
    },
  }
}
