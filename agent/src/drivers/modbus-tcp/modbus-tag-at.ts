import type { ToolPlace } from '../driver-kind.ts'
import { findTagAt, type Span } from '../tag-at-span.ts'
import { isBitArea, type ModbusAddress, parseModbusAddress } from './address.ts'
import type { ModbusTag } from './modbus-connection.ts'
import { registerCount } from './registers.ts'

interface Controller {
  readonly host: string
  readonly port: number
  readonly unit: number
  readonly tags: readonly ModbusTag[]
}

/** The tag of a register or coil that a tool names; of a wide value each of its registers. */
export function modbusTagAt({ host, port, unit, tags }: Controller, at: ToolPlace): ModbusTag | null {
  if (host !== at.host || port !== at.port || unit !== at.unit) return null
  const place = parseModbusAddress(at.place)
  if (place === null) return null
  return findTagAt(tags, spanOf(place, 1), (tag) =>
    tag.address.area === place.area ? spanOf(tag.address, countOf(tag)) : null,
  )
}

function spanOf({ area, address, bit }: ModbusAddress, count: number): Span {
  if (isBitArea(area)) return { start: address, end: address + 1 }
  if (bit !== null) return { start: 16 * address + bit, end: 16 * address + bit + 1 }
  return { start: 16 * address, end: 16 * (address + count) }
}

const countOf = (tag: ModbusTag): number => (tag.type === 'bool' ? 1 : registerCount(tag))
