import type { TextEncoding } from '@busbar/link'
import type { Tag } from '../../tag.ts'
import type { LineOptions } from '../polled/line-options.ts'
import type { ModbusAddress } from './address.ts'
import type { FactorPlace } from './factor-register.ts'
import type { ReadLimits } from './plan-reads.ts'
import type { RegisterFormat, WordOrder } from './registers.ts'

export interface ModbusTag extends Tag, Omit<RegisterFormat, 'bit'> {
  address: ModbusAddress
  /** The device tells the factor of the value. */
  factorFrom?: FactorPlace
}

/** The fields of a connection that are about reading. */
export interface ReadingOptions extends ReadLimits, LineOptions {
  /** For values wider than one register whose tag does not set one. */
  wordOrder: WordOrder
  /** For strings whose tag does not set one. */
  textEncoding?: TextEncoding
}

export interface ModbusConnection extends ReadLimits, Pick<LineOptions, 'closeAfterPoll'> {
  name: string
  tags: readonly ModbusTag[]
}
