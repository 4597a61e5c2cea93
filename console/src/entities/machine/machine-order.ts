import { machines } from '@busbar/contract'
import { type DisplayState, displayStates } from '../../shared/ui/data/display-state.ts'
import type { GridSort } from '../../shared/ui/data/grid-sort.ts'
import { fineShare } from '../../shared/ui/data/strip.ts'
import type { Machine } from './machine.ts'
import { statesOf } from './machine-state.ts'

/** A person's filter of the list. */
export interface MachineFilter {
  /** Name, code, remark or groups contain it; every word of it, in any order. */
  readonly query: string
  readonly state: DisplayState | null
  readonly groupId: number | null
  /** Only those without a place that the caller may know. */
  readonly isUnplaced?: boolean
}

const searchTexts = new WeakMap<Machine, string>()

/** The text that a search looks at, built once per machine: typing must not lower-case 5,000 names per key. */
function searchText(machine: Machine): string {
  let text = searchTexts.get(machine)
  if (text === undefined) {
    const groups = machine.groups.map((group) => group.name).join('\n')
    text = `${machine.name}\n${machine.code}\n${machine.remark}\n${groups}`.toLowerCase()
    searchTexts.set(machine, text)
  }
  return text
}

/** A test for the words of a search; digits are also found across the spaces a code is written with. */
function matcher(query: string): (machine: Machine) => boolean {
  const wanted = query.trim().toLowerCase()
  if (!wanted) return () => true
  const joined = wanted.replace(/\s+/g, '')
  if (/^\d+$/.test(joined))
    return (machine) => searchText(machine).includes(joined) || searchText(machine).includes(wanted)
  const words = wanted.split(/\s+/)
  return (machine) => words.every((word) => searchText(machine).includes(word))
}

/** The machines a filter leaves, in the order given. */
export function filterMachines(list: readonly Machine[], filter: MachineFilter): Machine[] {
  const matches = matcher(filter.query)
  return list.filter(
    (machine) =>
      (filter.state === null || statesOf(machine).includes(filter.state)) &&
      (!filter.isUnplaced || isUnplaced(machine)) &&
      (filter.groupId === null || machine.groups.some((group) => group.id === filter.groupId)) &&
      matches(machine),
  )
}

/** Whether a machine has no place; those whose place the caller may not know do not count. */
export const isUnplaced = ({ lat, enterprise, level }: Machine): boolean =>
  lat === null && (enterprise !== null || level > machines.limitAuthority.ordinary)

export type StateCounts = Readonly<Record<DisplayState, number>>

/** Counts the machines in each state; one may be offline and in alarm. */
export const countStates = (list: readonly Machine[]): StateCounts => countEach(list.flatMap(statesOf))

function countEach(states: readonly DisplayState[]): StateCounts {
  const counts: Record<DisplayState, number> = { alarm: 0, warning: 0, online: 0, service: 0, offline: 0 }
  for (const state of states) counts[state]++
  return counts
}

/** The list in a few figures. Shares are 0 to 1; null if the list is empty. */
export interface MachineSummary {
  readonly total: number
  readonly states: StateCounts
  /** Each machine once, in the worst of its states. */
  readonly worstStates: StateCounts
  readonly onlineShare: number | null
  readonly openAlarms: number
  readonly machinesWithAlarms: number
  readonly fineShare: number | null
}

export function summarise(list: readonly Machine[]): MachineSummary {
  const states = countStates(list)
  let openAlarms = 0
  let machinesWithAlarms = 0
  for (const machine of list) {
    openAlarms += machine.openAlarms
    if (machine.openAlarms > 0) machinesWithAlarms++
  }
  return {
    total: list.length,
    states,
    worstStates: countEach(list.flatMap((machine) => statesOf(machine).slice(0, 1))),
    onlineShare: list.length ? (list.length - states.offline) / list.length : null,
    openAlarms,
    machinesWithAlarms,
    fineShare: fineShare(strips(list)),
  }
}

function* strips(list: readonly Machine[]): Generator<readonly number[]> {
  for (const machine of list) if (machine.overview) yield machine.overview.strip24h
}

export interface MachineGroup {
  readonly id: number
  readonly name: string
  readonly count: number
}

/** The groups in use and those that are known beside them, by name. */
export function listGroups(
  list: readonly Machine[],
  collator: Intl.Collator,
  known: readonly { readonly id: number; readonly name: string }[] = [],
): MachineGroup[] {
  const groups = new Map(known.map(({ id, name }) => [id, { id, name, count: 0 }]))
  for (const machine of list) {
    for (const { id, name } of machine.groups) {
      const group = groups.get(id) ?? { id, name, count: 0 }
      groups.set(id, group)
      group.count++
    }
  }
  return [...groups.values()].sort((a, b) => collator.compare(a.name, b.name))
}

/** The columns a list can be ordered by. `state` is the order without a wish: trouble first. */
export const machineSorts = [
  'state',
  'name',
  'alarms',
  'strip',
  'group',
  'model',
  'role',
  'lastSeen',
  'window',
  'address',
  'added',
] as const
export type MachineSort = (typeof machineSorts)[number]

/** The initial direction of a column: the rows that people look for come first. */
const firstDirection: Record<MachineSort, GridSort['direction']> = {
  state: 'ascending',
  name: 'ascending',
  alarms: 'descending',
  strip: 'ascending',
  group: 'ascending',
  model: 'ascending',
  role: 'descending',
  lastSeen: 'descending',
  window: 'ascending',
  address: 'ascending',
  added: 'descending',
}

/** `name` or `-name`, as the address has it; any other value is the default order. */
export function parseSort(text: string | undefined): GridSort | null {
  const columnId = text?.replace(/^-/, '')
  const known = machineSorts.find((sort) => sort === columnId)
  if (!known) return null
  return { columnId: known, direction: text?.startsWith('-') ? 'descending' : 'ascending' }
}

export function formatSort(sort: GridSort | null): string | undefined {
  if (!sort) return undefined
  return sort.direction === 'descending' ? `-${sort.columnId}` : sort.columnId
}

/** A click on a header: its first direction, then the other, then no wish. */
export function nextSort(sort: GridSort | null, columnId: string): GridSort | null {
  const first = firstDirection[columnId as MachineSort] ?? 'ascending'
  if (sort?.columnId !== columnId) return { columnId, direction: first }
  if (sort.direction !== first) return null
  return { columnId, direction: first === 'ascending' ? 'descending' : 'ascending' }
}

type Compare = (a: Machine, b: Machine) => number

const stateRank = Object.fromEntries(displayStates.map((state, rank) => [state, rank])) as Record<
  DisplayState,
  number
>

const rankOf = (machine: Machine) => Math.min(...statesOf(machine).map((state) => stateRank[state]))

function byState(a: Machine, b: Machine): number {
  return rankOf(a) - rankOf(b) || b.openAlarms - a.openAlarms
}

function stripShare(machine: Machine): number {
  const share = machine.overview ? fineShare([machine.overview.strip24h]) : null
  return share ?? Number.POSITIVE_INFINITY
}

function comparator(sort: MachineSort, collator: Intl.Collator): Compare {
  switch (sort) {
    case 'state':
      return byState
    case 'name':
      return (a, b) => collator.compare(a.name, b.name)
    case 'alarms':
      return (a, b) => a.openAlarms - b.openAlarms
    case 'strip':
      return (a, b) => stripShare(a) - stripShare(b)
    case 'group':
      return (a, b) => emptyLast(placeOf(a), placeOf(b), collator)
    case 'model':
      return (a, b) => emptyLast(a.model, b.model, collator)
    case 'role':
      return (a, b) => a.level - b.level
    case 'lastSeen':
      return (a, b) => (a.lastSeen ?? 0) - (b.lastSeen ?? 0)
    case 'window':
      return (a, b) => windowEnd(a) - windowEnd(b)
    case 'address':
      return (a, b) => emptyLast(a.address, b.address, collator)
    case 'added':
      return (a, b) => (a.enterprise?.addedAt ?? 0) - (b.enterprise?.addedAt ?? 0)
  }
}

/** When its maintenance window ends: those without an end, then those without a window come after all others. */
function windowEnd({ enterprise }: Machine): number {
  return enterprise?.window
    ? (enterprise.window.stop ?? Number.MAX_SAFE_INTEGER - 1)
    : Number.MAX_SAFE_INTEGER
}

/** The place of a machine: its group, else its remark. */
function placeOf(machine: Machine): string {
  return machine.groups[0]?.name ?? machine.remark
}

function emptyLast(a: string, b: string, collator: Intl.Collator): number {
  if (a && b) return collator.compare(a, b)
  return (a ? 0 : 1) - (b ? 0 : 1)
}

/** Machines with trouble first, then the order of the platform. */
export const troubleFirst = (list: readonly Machine[]): Machine[] => [...list].sort(byState)

/** Orders machines; equals keep trouble first, then the order of the platform. */
export function sortMachines(
  list: readonly Machine[],
  sort: GridSort | null,
  collator: Intl.Collator,
): Machine[] {
  const column = machineSorts.find((known) => known === sort?.columnId) ?? 'state'
  const compare = comparator(column, collator)
  const sign = sort?.direction === 'descending' ? -1 : 1
  return [...list].sort((a, b) => sign * compare(a, b) || byState(a, b))
}

/**
 * Keeps rows where a person is looking: machines of `next` in the order of `shown`, newcomers at the end.
 * Machines that are not in `next` are left out.
 */
export function keepOrder(shown: readonly number[], next: readonly Machine[]): Machine[] {
  const byId = new Map(next.map((machine) => [machine.id, machine]))
  const kept: Machine[] = []
  for (const id of shown) {
    const machine = byId.get(id)
    if (!machine) continue
    kept.push(machine)
    byId.delete(id)
  }
  return [...kept, ...byId.values()]
}
