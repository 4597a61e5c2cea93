import { isYes, parseId, parseText, type RawSearch } from '../../shared/session/search.ts'

const listStates = ['alarm', 'warning', 'online', 'service', 'offline'] as const
export type ListState = (typeof listStates)[number]

/** The open parts of the device list, as the URL has them. */
export interface ListSearch {
  listType?: 'list' | 'cards'
  /** Id of the machine in the detail pane. */
  machine?: number
  q?: string
  state?: ListState
  group?: number
  sort?: string
  tab?: string
  /** The selection of the history explorer: tag ids, and the latest milliseconds or a stretch of time. */
  tags?: readonly number[]
  last?: number
  from?: number
  until?: number
  large?: true
  table?: true
  /** The alarm (`a5`) or the write (`w5`) that the history shows in words. */
  mark?: string
}

/** The open parts of an enterprise's device list. */
export interface DeviceSearch extends ListSearch {
  /** 1 its own devices, 2 those it maintains. */
  type: 1 | 2
  /** Whose; without it the enterprise one was in last. */
  eid?: number
}

export function listSearch(raw: RawSearch): ListSearch {
  const machine = parseId(raw.machine)
  const group = parseId(raw.group)
  const q = parseText(raw.q)
  const sort = parseText(raw.sort)
  const tab = parseText(raw.tab)
  const state = listStates.find((known) => known === raw.state)
  return {
    ...(raw.listType === 'list' || raw.listType === 'cards' ? { listType: raw.listType } : {}),
    ...(machine ? { machine } : {}),
    ...(q ? { q } : {}),
    ...(state ? { state } : {}),
    ...(group ? { group } : {}),
    ...(sort ? { sort } : {}),
    ...(tab ? { tab } : {}),
    ...historySearch(raw),
  }
}

const historyTagsMax = 16

function historySearch(
  raw: RawSearch,
): Pick<ListSearch, 'tags' | 'last' | 'from' | 'until' | 'large' | 'table' | 'mark'> {
  const ids = String(raw.tags ?? '').split(',', historyTagsMax)
  const tags = [...new Set(ids.map(parseId).filter((id) => id !== undefined))]
  const mark = String(raw.mark ?? '')
  const [last, from, until] = [parseId(raw.last), parseId(raw.from), parseId(raw.until)]
  return {
    ...(tags.length > 0 ? { tags } : {}),
    ...(last ? { last } : {}),
    ...(from && until && from < until && !last ? { from, until } : {}),
    ...(isYes(raw.large) ? { large: true } : {}),
    ...(isYes(raw.table) ? { table: true } : {}),
    ...(/^[aw]\d{1,15}$/.test(mark) ? { mark } : {}),
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
