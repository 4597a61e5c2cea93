import type { UnderstoodPortKind } from '@busbar/link'
import { ModbusFilter } from './modbus-filter.ts'
import { ModbusObserver } from './modbus-observer.ts'
import type { PortFilter, PortObserver } from './port-filter.ts'
import { S7Filter } from './s7-filter.ts'
import { S7Observer } from './s7-observer.ts'
import type { TagAt } from './written-places.ts'

export { FilteredSocket, FilterOver } from './filtered-socket.ts'
export type { PortObserver } from './port-filter.ts'
export type { TagAt } from './written-places.ts'

export const filters: Readonly<Record<UnderstoodPortKind, () => PortFilter>> = {
  modbus: () => new ModbusFilter(),
  s7: () => new S7Filter(),
}

/** `now`: a clock that never steps, in milliseconds. */
export const observers: Readonly<
  Record<UnderstoodPortKind, (now: () => number, tagAt: TagAt) => PortObserver>
> = {
  modbus: (now, tagAt) => new ModbusObserver(now, tagAt),
  s7: (now, tagAt) => new S7Observer(now, tagAt),
}
