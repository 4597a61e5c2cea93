import type { Tag } from '../../tag.ts'
import type { ModbusAddress } from './address.ts'
import type { ReadLimits } from './plan-reads.ts'
import type { WordOrder } from './registers.ts'

export interface ModbusTag extends Tag {
  address: ModbusAddress
  wordOrder: WordOrder
  /** Bytes of a string, 0 for any other type. */
  stringBytes: number
}

/** The fields of a connection that are about reading. */
export interface ReadingOptions extends ReadLimits {
  /** For each answer, and for the connection if there is one. */
  timeoutMs: number
  /** For values wider than one register whose tag does not set one. */
  wordOrder: WordOrder
}

export interface ModbusConnection extends ReadLimits {
  name: string
  tags: readonly ModbusTag[]
}
