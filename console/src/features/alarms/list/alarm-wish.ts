import type { alarms } from '@busbar/contract'
import type { Alarm, AlarmLevel, AlarmState } from '../../../entities/alarm/alarm.ts'
import type { AlarmWish } from '../../../entities/alarm/alarm-queries.ts'
import type { TableSort } from '../../../shared/ui/table/column.ts'
import { chosenOf, rangeOf } from '../../../shared/ui/table/filter.ts'
import type { TableAsk } from '../../../shared/ui/table/use-table-view.ts'

/** The columns that narrow the list. */
export const filterIds = { level: 'level', state: 'stage', group: 'group', time: 'raisedAt' } as const

/** The columns by which the platform can sort the list. */
const sortOf: Readonly<Record<string, alarms.AlarmSort>> = {
  raisedAt: 'raised',
  clearedAt: 'cleared',
  level: 'level',
  machine: 'machine',
  stage: 'state',
}

/** The order of a list; by need without one. */
function orderOf(sort: TableSort | null | undefined): Pick<AlarmWish, 'sort' | 'direction'> {
  const by = sort && sortOf[sort.columnId]
  return by ? { sort: by, direction: sort.isDescending ? 'desc' : 'asc' } : {}
}

/** A list's request to the platform. Without `ask` it covers everything of the space, or of the machine. */
export function wishOf(
  ask: (Pick<TableAsk, 'search' | 'filters'> & Partial<Pick<TableAsk, 'sort'>>) | undefined,
  asked: { readonly eid?: number },
  machineId: Alarm['machineId'] | undefined,
): AlarmWish {
  const base = { ...asked, ...(machineId === undefined ? {} : { machineId }) }
  if (!ask) return base
  const { filters, search } = ask
  const levels = filters[filterIds.level]
  const state = chosenOf<AlarmState>(filters, filterIds.state)
  const group = Number(chosenOf(filters, filterIds.group))
  return {
    ...base,
    ...(levels?.kind === 'choice' && levels.chosen.length > 0
      ? { level: [...levels.chosen] as AlarmLevel[] }
      : {}),
    ...(state ? { state } : {}),
    ...(group ? { groupId: group } : {}),
    ...(search ? { text: search } : {}),
    ...rangeOf(filters, filterIds.time),
    ...orderOf(ask.sort),
  }
}
