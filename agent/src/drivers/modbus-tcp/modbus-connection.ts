import type { Tag } from '../../tag.ts'
import type { ModbusAddress } from './address.ts'
import type { ReadLimits } from './plan-reads.ts'
import type { WordOrder } from './registers.ts'
import type { ModbusTransportOptions } from './transport.ts'

export interface ModbusTag extends Tag {
  address: ModbusAddress
  wordOrder: WordOrder
  /** Bytes of a string, 0 for any other type. */
  stringBytes: number
}

export interface ModbusConnection extends ModbusTransportOptions, ReadLimits {
  driver: 'modbus-tcp'
  name: string
  pollIntervalMs: number
  tags: ModbusTag[]
}
