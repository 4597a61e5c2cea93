import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { groupsQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import { followLists } from '../../../entities/machine/list-sync.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import {
  filterMachines,
  formatSort,
  keepOrder,
  listGroups,
  type MachineFilter,
  type MachineGroup,
  type MachineSummary,
  nextSort,
  parseSort,
  sortMachines,
  summarise,
} from '../../../entities/machine/machine-order.ts'
import { push } from '../../../shared/api/live.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import type { DisplayState } from '../../../shared/ui/data/display-state.ts'
import type { GridSort } from '../../../shared/ui/data/grid-sort.ts'
import type { TableSettings } from '../../../shared/ui/table/settings.ts'
import { type Arrangement, useArrangement } from '../../../shared/ui/table/use-arrangement.ts'
import { userGroupsQuery } from '../groups/group-queries.ts'
import { useListSearch } from '../list-search.ts'
import { useDeviceSpace } from '../space.ts'
import { spaceListQuery } from '../space-queries.ts'

const nothing: readonly Machine[] = []
/** The address follows the typing this much later, so that it does not change with every key. */
const addressDelayMs = 300

export interface MachineListView {
  readonly status: 'loading' | 'failed' | 'ready'
  readonly retry: () => void
  readonly retrying: boolean
  /** Everything in the caller's list. */
  readonly all: readonly Machine[]
  /** A machine of the newest answer, which `all` follows a moment later. */
  readonly find: (id: number | null) => Machine | undefined
  /** The filtered rows, in order. */
  readonly rows: readonly Machine[]
  readonly summary: MachineSummary
  readonly groups: readonly MachineGroup[]
  readonly query: string
  readonly setQuery: (query: string) => void
  readonly state: DisplayState | null
  readonly setState: (state: DisplayState | null) => void
  readonly groupId: number | null
  readonly setGroupId: (groupId: number | null) => void
  /** Only machines without a place. */
  readonly isUnplaced: boolean
  readonly setUnplaced: (isUnplaced: boolean) => void
  readonly isFiltered: boolean
  readonly clearFilters: () => void
  readonly sort: GridSort | null
  readonly toggleSort: (columnId: string) => void
  /** The person's columns, widths and pinned edges for lists of this space. */
  readonly arrangement: Arrangement
  /** Epoch milliseconds of the last answer. */
  readonly updatedAt: number
}

/** The list as the address asks for it, kept up to date by the push. With `looking` rows keep their place. */
export function useMachineList(looking: boolean): MachineListView {
  const lang = useLang()
  const client = useQueryClient()
  const [search, updateSearch] = useListSearch()
  const space = useDeviceSpace()
  const isOwn = space.kind === 'personal'
  const answer = useQuery(spaceListQuery(space, lang))
  // Rendered in slices that keep the page responsive, however many machines there are.
  const data = useDeferredValue(answer.data)
  const all = data?.list ?? nothing

  useEffect(() => followLists(client, push), [client])

  const [query, setQuery] = useQueryText(search.q ?? '', (q) =>
    updateSearch({ q: q || undefined }, { replace: true }),
  )
  const state = search.state ?? null
  const groupId = search.group ?? null
  const isUnplaced = search.place === 'none'
  // A pressed control changes immediately; 5,000 rows follow in slices that keep the page responsive.
  const arrangement = useArrangement(`devices-${space.kind}`)
  const { settings, arrange } = arrangement
  const sortText = search.sort ?? keptSort(settings)
  const asked = useDeferredValue(JSON.stringify({ query, state, groupId, isUnplaced, sort: sortText }))
  const wish = useMemo(() => JSON.parse(asked) as MachineFilter & { sort?: string }, [asked])
  const collator = useMemo(() => new Intl.Collator(lang === 'cn' ? 'zh-CN' : 'en', { numeric: true }), [lang])
  const sort = useMemo(() => parseSort(sortText), [sortText])
  const sorted = useMemo(() => sortMachines(all, parseSort(wish.sort), collator), [all, wish.sort, collator])
  const wanted = useMemo(() => filterMachines(sorted, wish), [sorted, wish])
  const rows = useSteadyOrder(wanted, asked, looking)
  const summary = useMemo(() => summarise(all), [all])
  const own = useQuery({ ...userGroupsQuery, enabled: isOwn }).data
  const eid = space.kind === 'personal' ? 0 : space.eid
  const ofEnterprise = useQuery({ ...groupsQuery(eid), enabled: !isOwn }).data
  const known = isOwn ? own : ofEnterprise
  const groups = useMemo(() => listGroups(all, collator, known), [all, collator, known])

  return {
    status: data ? 'ready' : answer.isError ? 'failed' : 'loading',
    retry: () => void answer.refetch(),
    retrying: answer.isFetching,
    all,
    find: (id) => answer.data?.list.find((machine) => machine.id === id),
    rows,
    summary,
    groups,
    query,
    setQuery,
    state,
    setState: (next) => updateSearch({ state: next ?? undefined }, { replace: true }),
    groupId,
    setGroupId: (next) => updateSearch({ group: next ?? undefined }, { replace: true }),
    isUnplaced,
    setUnplaced: (next) => updateSearch({ place: next ? 'none' : undefined }, { replace: true }),
    isFiltered: query.trim() !== '' || state !== null || groupId !== null || isUnplaced,
    clearFilters: () => {
      setQuery('')
      updateSearch({ q: undefined, state: undefined, group: undefined, place: undefined }, { replace: true })
    },
    sort,
    toggleSort: (columnId) => {
      const next = nextSort(sort, columnId)
      const { sort: _, ...others } = settings
      const kept = next && { columnId, isDescending: next.direction === 'descending' }
      arrange(kept ? { ...others, sort: kept } : others)
      updateSearch({ sort: formatSort(next) }, { replace: true })
    },
    arrangement: {
      settings,
      arrange: (changed) => {
        arrange(changed)
        // Back to the list's own look: the address must not keep its order.
        if (settings.sort && !changed.sort) updateSearch({ sort: undefined }, { replace: true })
      },
    },
    updatedAt: answer.dataUpdatedAt,
  }
}

/** The order that a person chose last, in the address's form. */
function keptSort({ sort }: TableSettings): string | undefined {
  return sort ? `${sort.isDescending ? '-' : ''}${sort.columnId}` : undefined
}

/** The text of a search field: immediate here, delayed in the address; going back brings the older one. */
function useQueryText(inAddress: string, write: (query: string) => void): [string, (query: string) => void] {
  const [query, setQuery] = useState(inAddress)
  const written = useRef(inAddress)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (inAddress === written.current) return
    written.current = inAddress
    setQuery(inAddress)
  }, [inAddress])
  useEffect(() => () => clearTimeout(timer.current), [])
  return [
    query,
    (next) => {
      setQuery(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        written.current = next
        write(next)
      }, addressDelayMs)
    },
  ]
}

/**
 * Rows do not move under the pointer: while a person looks at them, only their own action (`action`) changes
 * the order; other changes are applied when they look away.
 */
function useSteadyOrder(wanted: readonly Machine[], action: string, looking: boolean): readonly Machine[] {
  const shown = useRef<{ action: string; ids: readonly number[] }>({ action: '', ids: [] })
  const rows = useMemo(
    () => (looking && shown.current.action === action ? keepOrder(shown.current.ids, wanted) : wanted),
    [wanted, looking, action],
  )
  useEffect(() => {
    shown.current = { action, ids: rows.map((machine) => machine.id) }
  }, [rows, action])
  return rows
}
