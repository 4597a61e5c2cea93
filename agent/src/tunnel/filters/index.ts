import type { UnderstoodPortKind } from '@busbar/link'
import { ModbusCounter, ModbusFilter } from './modbus-filter.ts'
import type { PortFilter, RequestCounter } from './port-filter.ts'
import { S7Counter, S7Filter } from './s7-filter.ts'

export { FilteredSocket, FilterOver } from './filtered-socket.ts'
export type { PortFilter, RequestCounter } from './port-filter.ts'

export const filters: Readonly<Record<UnderstoodPortKind, () => PortFilter>> = {
  modbus: () => new ModbusFilter(),
  s7: () => new S7Filter(),
}

export const counters: Readonly<Record<UnderstoodPortKind, () => RequestCounter>> = {
  modbus: () => new ModbusCounter(),
  s7: () => new S7Counter(),
}
