import { decodeText, encodeText, type TextEncoding } from '@busbar/link'

/** The four areas of a Modbus device. Addresses count from 0, as on the wire. */
export type ModbusArea = 'holding' | 'input' | 'coil' | 'discrete'

export type RegisterType = 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'bcd16' | 'string' | 'bool'

export type RegisterValue = number | boolean | string

/** The place and format of a value. Words of 32-bit values are CDAB: the low word first. */
export interface RegisterSpec {
  area: ModbusArea
  address: number
  type: RegisterType
  /** Registers of a string, two characters each, the first in the high byte. */
  registers?: number
  /** Of a string; UTF-8 by default. */
  textEncoding?: TextEncoding
  /** People and agents may write it. */
  writable?: true
  /** Register value = process value × factor. */
  factor?: number
}

/** Registers (or bits) a value takes. */
export function registerCount(spec: Pick<RegisterSpec, 'type' | 'registers'>): number {
  if (spec.type === 'string') return spec.registers ?? 1
  return spec.type === 'int32' || spec.type === 'uint32' || spec.type === 'float32' ? 2 : 1
}

/** The words of a value. Numbers are rounded and limited to their type. */
export function encodeRegisters(spec: RegisterSpec, value: RegisterValue): number[] {
  if (spec.type === 'string') return encodeString(String(value), spec)
  const scaled = Number(value) * (spec.factor ?? 1)
  const view = new DataView(new ArrayBuffer(4))
  switch (spec.type) {
    case 'bcd16':
      return [Number.parseInt(String(within(scaled, 0, 9_999)), 16)]
    case 'int16':
      view.setInt16(0, within(scaled, -32_768, 32_767))
      return [view.getUint16(0)]
    case 'uint16':
    case 'bool':
      return [within(scaled, 0, 65_535)]
    case 'int32':
      view.setInt32(0, within(scaled, -2_147_483_648, 2_147_483_647))
      break
    case 'uint32':
      view.setUint32(0, within(scaled, 0, 4_294_967_295))
      break
    case 'float32':
      view.setFloat32(0, scaled)
      break
  }
  return [view.getUint16(2), view.getUint16(0)]
}

/** The value the words stand for; the inverse of `encodeRegisters`. */
export function decodeRegisters(spec: RegisterSpec, words: readonly number[]): RegisterValue {
  if (spec.type === 'string') return decodeString(words, spec)
  if (spec.type === 'bool') return words[0] !== 0
  const view = new DataView(new ArrayBuffer(4))
  view.setUint16(0, words[1] ?? 0)
  view.setUint16(2, words[0] ?? 0)
  return numberIn(view, spec.type) / (spec.factor ?? 1)
}

function numberIn(view: DataView, type: Exclude<RegisterType, 'string' | 'bool'>): number {
  switch (type) {
    case 'bcd16':
      return Number(view.getUint16(2).toString(16))
    case 'int16':
      return view.getInt16(2)
    case 'uint16':
      return view.getUint16(2)
    case 'int32':
      return view.getInt32(0)
    case 'uint32':
      return view.getUint32(0)
    case 'float32':
      return view.getFloat32(0)
  }
}

function within(value: number, min: number, max: number): number {
  return Math.min(Math.max(Math.round(value), min), max)
}

function encodeString(text: string, spec: RegisterSpec): number[] {
  const bytes = encodeText(text, spec.textEncoding ?? 'utf8')
  return Array.from(
    { length: registerCount(spec) },
    (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0),
  )
}

function decodeString(words: readonly number[], { textEncoding = 'utf8' }: RegisterSpec): string {
  const bytes = Uint8Array.from(words.flatMap((word) => [word >> 8, word & 0xff]))
  const end = bytes.indexOf(0)
  return decodeText(end < 0 ? bytes : bytes.subarray(0, end), textEncoding)
}
