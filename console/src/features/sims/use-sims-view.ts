import { useEffect, useMemo, useRef } from 'react'
import type { Filters, FilterValue } from '../../shared/ui/table/filter.ts'
import { type TableView, useTableView } from '../../shared/ui/table/use-table-view.ts'
import { type SimFilters, type SimsSearch, simsSearch } from './search.ts'
import { useSimsSearch } from './use-sims-search.ts'

const fields = [
  'state',
  'planId',
  'carrier',
  'daysLeft',
  'usedPercent',
] as const satisfies (keyof SimFilters)[]

const filtersOf = (search: SimsSearch): Filters =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = search[field]
      return value === undefined ? [] : [[field, { kind: 'choice', chosen: [String(value)] }] as const]
    }),
  )

/** Without any. */
const nothing = Object.fromEntries([...fields, 'q'].map((field) => [field, undefined]))

/** The state of the list of cards, whose search and filters are in the address: a reload, a link and a way back keep them. */
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
    if (q !== inAddress.current) {
      inAddress.current = q
      type(q)
    }
  }, [q, type])
  useEffect(() => {
    if (asked === inAddress.current) return
    inAddress.current = asked
    update({ q: asked || undefined }, { replace: true })
  }, [asked, update])

  function setFilter(field: string, value: FilterValue | undefined): void {
    const [chosen] = value?.kind === 'choice' ? value.chosen : []
    update(
      {
        ...nothing,
        ...search,
        ...simsSearch({ [field]: chosen }),
        ...(chosen ? {} : { [field]: undefined }),
      },
      { replace: true },
    )
    view.turnTo(1)
  }

  return {
    ...view,
    ask: { ...view.ask, filters },
    isChanged: view.typed !== '' || Object.keys(filters).length > 0,
    setFilter,
    clear() {
      view.clear()
      inAddress.current = ''
      update(nothing, { replace: true })
    },
  }
}
