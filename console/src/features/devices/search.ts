import { type HistorySearch, historySearch } from '../../entities/history/history-search.ts'
import { formatView, parseView } from '../../entities/place/map-point.ts'
import { parseId, parseText, type RawSearch } from '../../shared/session/search.ts'

const listStates = ['alarm', 'warning', 'online', 'service', 'offline'] as const
export type ListState = (typeof listStates)[number]

const listTypes = ['list', 'cards', 'map'] as const
export type ListType = (typeof listTypes)[number]

/** The open parts of the device list, as the URL has them. */
export interface ListSearch extends HistorySearch {
  listType?: ListType
  /** The centre and zoom of the map: `lat,lng,zoom`. */
  at?: string
  /** Id of the machine whose card is open on the map. */
  card?: number
  /** Only machines without a place. */
  place?: 'none'
  /** Id of the machine in the detail pane. */
  machine?: number
  q?: string
  state?: ListState
  group?: number
  sort?: string
  tab?: string
}

/** The open parts of an enterprise's device list. */
export interface DeviceSearch extends ListSearch {
  /** 1 its own devices, 2 those it maintains. */
  type: 1 | 2
  /** The enterprise; by default the one that was open last. */
  eid?: number
}

export function listSearch(raw: RawSearch): ListSearch {
  const machine = parseId(raw.machine)
  const group = parseId(raw.group)
  const q = parseText(raw.q)
  const sort = parseText(raw.sort)
  const tab = parseText(raw.tab)
  const listType = listTypes.find((known) => known === raw.listType)
  const at = parseView(raw.at)
  const card = parseId(raw.card)
  const state = listStates.find((known) => known === raw.state)
  return {
    ...(listType ? { listType } : {}),
    ...(at ? { at: formatView(at) } : {}),
    ...(card ? { card } : {}),
    ...(raw.place === 'none' ? { place: raw.place } : {}),
    ...(machine ? { machine } : {}),
    ...(q ? { q } : {}),
    ...(state ? { state } : {}),
    ...(group ? { group } : {}),
    ...(sort ? { sort } : {}),
    ...(tab ? { tab } : {}),
    ...historySearch(raw),
  }
}

export function deviceSearch(raw: RawSearch): DeviceSearch {
  const eid = parseId(raw.eid)
  return {
    // Addresses with the former name of the parameter lead to the same device.
    ...listSearch({ machine: raw.device, ...raw }),
    type: Number(raw.type) === 2 ? 2 : 1,
    ...(eid ? { eid } : {}),
  }
}
