import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { personQuery } from '../../session/account-queries.ts'
import type { RowKey } from '../data/virtual-grid.tsx'
import type { TableSort } from './column.ts'
import { changeFilter, type Filters, type FilterValue } from './filter.ts'
import { loadSettings, noSettings, saveSettings, type TableSettings } from './settings.ts'

/** What is typed is asked for once the fingers rest. */
const typingMs = 250

interface TableViewOptions {
  /** The list's own name; it stays the same, or everybody's settings are lost. */
  readonly id: string
  readonly sort?: TableSort
  readonly filters?: Filters
}

/** What is asked of a list: of the platform, where it does the work. */
export interface TableAsk {
  /** Counted from 1. */
  readonly page: number
  readonly search: string
  readonly sort: TableSort | null
  readonly filters: Filters
}

/** How a person looks at a list: what they ask of it, how they arranged it, what they selected. */
export interface TableView {
  readonly id: string
  readonly ask: TableAsk
  /** What stands in the search field; `ask.search` follows when the fingers rest. */
  readonly typed: string
  readonly settings: TableSettings
  readonly selected: ReadonlySet<RowKey>
  readonly type: (text: string) => void
  readonly turnTo: (page: number) => void
  readonly setSort: (sort: TableSort | null) => void
  readonly setFilter: (id: string, value: FilterValue | undefined) => void
  /** Takes away the search and every filter. */
  readonly clear: () => void
  readonly arrange: (settings: TableSettings) => void
  readonly select: (keys: ReadonlySet<RowKey>) => void
}

const nothingSelected: ReadonlySet<RowKey> = new Set()

/** The state of a list. What narrows it leads back to its first page. */
export function useTableView({ id, sort, filters = {} }: TableViewOptions): TableView {
  const person = useQuery(personQuery).data?.userid
  const [kept, keep] = useState(() => settingsOf(person, id))
  if (kept.person !== person) keep(settingsOf(person, id))
  const { settings } = kept

  const [page, setPage] = useState(1)
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  const [asked, setAsked] = useState(filters)
  const [selected, select] = useState(nothingSelected)

  useEffect(() => {
    const timer = setTimeout(() => {
      setSearch(typed.trim())
      setPage(1)
    }, typingMs)
    return () => clearTimeout(timer)
  }, [typed])

  const arrange = useCallback(
    (changed: TableSettings) => {
      keep({ person, settings: changed })
      if (person !== undefined) saveSettings(localStorage, person, id, changed)
    },
    [person, id],
  )

  return {
    id,
    ask: { page, search, sort: settings.sort === undefined ? (sort ?? null) : settings.sort, filters: asked },
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

function settingsOf(person: number | undefined, id: string) {
  return { person, settings: person === undefined ? noSettings : loadSettings(localStorage, person, id) }
}
