import type { GridSort } from '../../shared/ui/data/grid-sort.ts'
import type { Machine } from './machine.ts'

export type OnlineFilter = 'all' | 'online' | 'offline'

/** What a person asked to see of an enterprise's devices. */
export interface DeviceWish {
  readonly query: string
  readonly groupId: number | undefined
  readonly online: OnlineFilter
}

/** Devices whose name, remark, group or code holds every word typed, of the state and group asked for. */
export function filterDevices(machines: readonly Machine[], wish: DeviceWish): readonly Machine[] {
  const { groupId, online } = wish
  const words = wish.query.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && groupId === undefined && online === 'all') return machines
  return machines.filter((machine) => {
    if (groupId !== undefined && !machine.groups.some(({ id }) => id === groupId)) return false
    if (online !== 'all' && machine.online !== (online === 'online')) return false
    const { name, remark, code } = machine
    const text = `${name} ${remark} ${groupOf(machine)} ${code}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

const groupOf = ({ groups }: Machine) => groups[0]?.name ?? ''

const collator = new Intl.Collator(undefined, { numeric: true })

/** What a column is ordered by; nothing stands last, whichever way. */
const keys: Readonly<Record<string, (machine: Machine) => string | number | null>> = {
  name: ({ name }) => name,
  window: ({ enterprise }) => enterprise?.window?.stop ?? null,
  group: (machine) => groupOf(machine) || machine.remark || null,
  model: ({ model, type }) => model || type || null,
  address: ({ address }) => address || null,
  added: ({ enterprise }) => enterprise?.addedAt ?? null,
  lastSeen: ({ lastSeen }) => lastSeen,
}

/** The devices in the order of a column; without one as they came. */
export function sortDevices(machines: readonly Machine[], sort: GridSort | null): readonly Machine[] {
  const keyOf = sort && keys[sort.columnId]
  if (!keyOf) return machines
  const way = sort.direction === 'ascending' ? 1 : -1
  const keyed = machines.map((machine) => ({ machine, key: keyOf(machine) }))
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return way * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(`${a}`, `${b}`))
  })
  return keyed.map(({ machine }) => machine)
}

/** The order after a press on a column's head: up, down, as it came. */
export function nextSort(sort: GridSort | null, columnId: string): GridSort | null {
  if (sort?.columnId !== columnId) return { columnId, direction: 'ascending' }
  return sort.direction === 'ascending' ? { columnId, direction: 'descending' } : null
}
