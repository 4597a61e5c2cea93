/** The four areas of a Modbus device, in the words of the configuration. */
const modbusAreas = ['holding', 'input', 'coil', 'discrete'] as const
export type ModbusArea = (typeof modbusAreas)[number]

/** A place in a Modbus device. Addresses count from 0 as they do on the wire. */
export interface ModbusAddress {
  area: ModbusArea
  address: number
  /** A bit of a register, 0 the lowest; null for the whole register. */
  bit: number | null
}

/**
 * An address such as `holding:100`, `input:3`, `coil:5`, `discrete:7`, `holding:10.3`; null for any other
 * text.
 */
export function parseModbusAddress(text: string): ModbusAddress | null {
  const match = /^(holding|input|coil|discrete):(\d{1,5})(?:\.(\d{1,2}))?$/.exec(text)
  if (match === null) return null
  const area = match[1] as ModbusArea
  const address = Number(match[2])
  const bit = match[3] === undefined ? null : Number(match[3])
  if (address > 65535) return null
  if (bit !== null && (bit > 15 || isBitArea(area))) return null
  return { area, address, bit }
}

export function isBitArea(area: ModbusArea): boolean {
  return area === 'coil' || area === 'discrete'
}
