import { decimalOfFloat32 } from '@busbar/link'
import type { TagType, TagValue } from '../../tag.ts'
import { integerRanges } from '../../tag.ts'

/**
 * The order of a value's bytes in its registers: A is the highest byte. ABCD is Modbus' own big-endian, CDAB
 * swaps words, BADC swaps the bytes of each word, DCBA does both. 64-bit values follow the same two switches;
 * in a 16-bit value and in a string only the swapping of bytes is left.
 */
export const wordOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
export type WordOrder = (typeof wordOrders)[number]

export interface RegisterFormat {
  type: TagType
  wordOrder: WordOrder
  /** A bit of a register, for type bool. */
  bit: number | null
  /** Bytes of a string, 0 for any other type. */
  stringBytes: number
}

/** Registers a value takes. */
export function registerCount(format: Pick<RegisterFormat, 'type' | 'stringBytes'>): number {
  switch (format.type) {
    case 'bool':
    case 'int16':
    case 'uint16':
      return 1
    case 'int32':
    case 'uint32':
    case 'float32':
      return 2
    case 'int64':
    case 'uint64':
    case 'float64':
      return 4
    case 'string':
      return Math.ceil(format.stringBytes / 2)
  }
}

/**
 * The value that begins at `offset` of `registers`, or null if it is not a finite number. The caller has read
 * `registerCount` registers from there.
 */
export function decodeRegisters(
  registers: ArrayLike<number>,
  offset: number,
  format: RegisterFormat,
): TagValue | null {
  const view = orderedBytes(registers, offset, format)
  switch (format.type) {
    case 'bool':
      return ((view.getUint16(0) >> (format.bit ?? 0)) & 1) === 1
    case 'int16':
      return view.getInt16(0)
    case 'uint16':
      return view.getUint16(0)
    case 'int32':
      return view.getInt32(0)
    case 'uint32':
      return view.getUint32(0)
    case 'int64':
      return view.getBigInt64(0)
    case 'uint64':
      return view.getBigUint64(0)
    case 'float32':
      return finiteOrNull(decimalOfFloat32(view.getFloat32(0)))
    case 'float64':
      return finiteOrNull(view.getFloat64(0))
    case 'string':
      return decodeText(new Uint8Array(view.buffer, 0, format.stringBytes))
  }
}

/**
 * The registers that hold a raw value, the inverse of `decodeRegisters`; null if it does not fit the format.
 * A string is padded with NULs. A bit of a register has no registers, see `bitMask`.
 */
export function encodeRegisters(value: TagValue, format: RegisterFormat): number[] | null {
  const count = registerCount(format)
  const view = new DataView(new ArrayBuffer(count * 2))
  if (format.type === 'string') {
    const bytes = new TextEncoder().encode(String(value))
    if (bytes.length > format.stringBytes) return null
    new Uint8Array(view.buffer).set(bytes)
  } else if (typeof value === 'string' || !setNumber(view, value, format.type)) {
    return null
  }
  const { wordsSwapped, bytesSwapped } = swapsOf(format)
  return Array.from({ length: count }, (_, index) =>
    view.getUint16((wordsSwapped ? count - 1 - index : index) * 2, bytesSwapped),
  )
}

/** The bit of a register on the wire, with the format's swapping of bytes. */
export function bitMask(format: RegisterFormat): number {
  return 1 << ((format.bit ?? 0) ^ (swapsOf(format).bytesSwapped ? 8 : 0))
}

/** False when the type cannot hold the number. */
function setNumber(view: DataView, value: boolean | number | bigint, type: TagType): boolean {
  if (type === 'float32' || type === 'float64') {
    const number = type === 'float32' ? Math.fround(Number(value)) : Number(value)
    if (!Number.isFinite(number)) return false
    if (type === 'float32') view.setFloat32(0, number)
    else view.setFloat64(0, number)
    return true
  }
  const range = integerRanges[type]
  const whole = typeof value === 'number' ? BigInt(Math.round(value)) : BigInt(value)
  if (range === undefined || whole < range[0] || whole > range[1]) return false
  const bits = BigInt.asUintN(view.byteLength * 8, whole)
  if (view.byteLength === 8) view.setBigUint64(0, bits)
  else if (view.byteLength === 4) view.setUint32(0, Number(bits))
  else view.setUint16(0, Number(bits))
  return true
}

/** The value's bytes, the highest first. */
function orderedBytes(registers: ArrayLike<number>, offset: number, format: RegisterFormat): DataView {
  const count = registerCount(format)
  const { wordsSwapped, bytesSwapped } = swapsOf(format)
  const view = new DataView(new ArrayBuffer(count * 2))
  for (let index = 0; index < count; index++) {
    const register = registers[offset + (wordsSwapped ? count - 1 - index : index)] ?? 0
    view.setUint16(index * 2, register, bytesSwapped)
  }
  return view
}

function swapsOf({ type, wordOrder }: RegisterFormat): { wordsSwapped: boolean; bytesSwapped: boolean } {
  return {
    wordsSwapped: type !== 'string' && (wordOrder === 'CDAB' || wordOrder === 'DCBA'),
    bytesSwapped: wordOrder === 'BADC' || wordOrder === 'DCBA',
  }
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const latin1 = new TextDecoder('latin1')

/** A string ends at its first NUL; controllers pad the rest with NULs or spaces. */
function decodeText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  const used = end < 0 ? bytes : bytes.subarray(0, end)
  try {
    return utf8.decode(used).trimEnd()
  } catch {
    return latin1.decode(used).trimEnd()
  }
}
