import { useEffect, useState } from 'react'
import type { RowKey } from '../data/virtual-grid.tsx'
import type { TableSort } from './column.ts'
import { changeFilter, type Filters, type FilterValue, narrowsFurther } from './filter.ts'
import { type Arrangement, useArrangement } from './use-arrangement.ts'

/** A search starts once typing pauses for this long. */
const typingMs = 250

interface TableViewOptions {
  /** The list's id, which must not change, or all saved settings are lost. */
  readonly id: string
  readonly sort?: TableSort
  readonly filters?: Filters
  /** The search that it begins with. */
  readonly search?: string
}

/** The query of a list; if the platform does the work, the query to the platform. */
export interface TableAsk {
  /** Counted from 1. */
  readonly page: number
  readonly search: string
  readonly sort: TableSort | null
  readonly filters: Filters
}

/** The state of a person's view of a list: query, arrangement, selection. */
export interface TableView extends Arrangement {
  readonly id: string
  readonly ask: TableAsk
  /** Whether the search or a filter differs from the initial state. */
  readonly isChanged: boolean
  /** The text in the search field; `ask.search` follows when typing pauses. */
  readonly typed: string
  readonly selected: ReadonlySet<RowKey>
  readonly type: (text: string) => void
  readonly turnTo: (page: number) => void
  readonly setSort: (sort: TableSort | null) => void
  readonly setFilter: (id: string, value: FilterValue | undefined) => void
  /** Removes the search and every filter. */
  readonly clear: () => void
  readonly select: (keys: ReadonlySet<RowKey>) => void
}

const nothingSelected: ReadonlySet<RowKey> = new Set()

/** The state of a list. Narrowing it returns to its first page. */
export function useTableView({ id, sort, filters = {}, search: first = '' }: TableViewOptions): TableView {
  const { settings, arrange } = useArrangement(id)

  const [page, setPage] = useState(1)
  const [typed, setTyped] = useState(first)
  const [search, setSearch] = useState(first)
  const [presets] = useState(filters)
  const [asked, setAsked] = useState(filters)
  const [selected, select] = useState(nothingSelected)

  useEffect(() => {
    const timer = setTimeout(() => {
      setSearch(typed.trim())
      setPage(1)
    }, typingMs)
    return () => clearTimeout(timer)
  }, [typed])

  return {
    id,
    ask: { page, search, sort: settings.sort === undefined ? (sort ?? null) : settings.sort, filters: asked },
    isChanged: typed !== '' || narrowsFurther(asked, presets),
    typed,
    settings,
    selected,
    type: setTyped,
    turnTo: setPage,
    setSort(wished) {
      arrange({ ...settings, sort: wished })
      setPage(1)
    },
    setFilter(filterId, value) {
      setAsked((before) => changeFilter(before, filterId, value))
      setPage(1)
    },
    clear() {
      setTyped('')
      setSearch('')
      setAsked({})
      setPage(1)
    },
    arrange,
    select,
  }
}
