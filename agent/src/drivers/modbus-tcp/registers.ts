import type { TextEncoding } from '@busbar/link'
import { decimalOfFloat32, decodeText, decodeTextStrictly } from '@busbar/link'
import type { TagType, TagValue } from '../../tag.ts'
import { integerRanges } from '../../tag.ts'
import { fitText } from '../value-misfit.ts'

/**
 * The order of a value's bytes in its registers: A is the highest byte. ABCD is Modbus' own big-endian, CDAB
 * swaps words, BADC swaps the bytes of each word, DCBA does both. 64-bit values follow the same two switches;
 * in a 16-bit value and in a string only the swapping of bytes is left.
 */
export const wordOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
export type WordOrder = (typeof wordOrders)[number]

/** Numbers with a decimal digit in each four bits, four digits in a register. */
export const bcdTypes = ['bcd16', 'bcd32', 'bcd64'] as const
type BcdType = (typeof bcdTypes)[number]
const bcdHolders: Record<BcdType, 'uint16' | 'uint32' | 'uint64'> = {
  bcd16: 'uint16',
  bcd32: 'uint32',
  bcd64: 'uint64',
}

/** The types of values in registers. */
type RegisterType = TagType | BcdType

/** The type of a tag with such a value. */
export function tagTypeOf(type: RegisterType): TagType {
  return isBcd(type) ? bcdHolders[type] : type
}

function isBcd(type: RegisterType): type is BcdType {
  return type in bcdHolders
}

export interface RegisterFormat {
  /** The tag's. */
  type: TagType
  /** Of the value in the registers, where it is another one. */
  registerType?: RegisterType
  wordOrder: WordOrder
  /** A bit of a register, for type bool. */
  bit: number | null
  /** Bytes of a string, 0 for any other type. */
  stringBytes: number
  /** Of a string. Where nobody has named it: UTF-8, or Windows-1252 if the bytes are not UTF-8. */
  textEncoding?: TextEncoding
}

const typeIn = ({ type, registerType }: Pick<RegisterFormat, 'type' | 'registerType'>): RegisterType =>
  registerType ?? type

/** Registers a value takes. */
export function registerCount(format: Pick<RegisterFormat, 'type' | 'registerType' | 'stringBytes'>): number {
  switch (tagTypeOf(typeIn(format))) {
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
 * The value that begins at `offset` of `registers`, or null if it is not a finite number, or not the digits of one. The
 * caller has read `registerCount` registers from there.
 */
export function decodeRegisters(
  registers: ArrayLike<number>,
  offset: number,
  format: RegisterFormat,
): TagValue | null {
  const view = orderedBytes(registers, offset, format)
  const type = typeIn(format)
  switch (type) {
    case 'bcd16':
    case 'bcd32':
    case 'bcd64':
      return decodeBcd(view, type)
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
      return decodePadded(usedBytes(view, format), format.textEncoding)
  }
}

/**
 * The registers that hold a raw value, the inverse of `decodeRegisters`; null if it does not fit the format.
 * A string is padded with NULs. A bit of a register has no registers, see `bitMask`. Throws `ValueMisfit` for a character that
 * the text encoding lacks.
 */
export function encodeRegisters(value: TagValue, format: RegisterFormat): number[] | null {
  const count = registerCount(format)
  const view = new DataView(new ArrayBuffer(count * 2))
  const type = typeIn(format)
  if (type === 'string') {
    const bytes = fitText(String(value), format.textEncoding ?? 'utf8', format.stringBytes)
    if (bytes === null) return null
    new Uint8Array(view.buffer).set(bytes)
  } else {
    const number = isBcd(type) ? toBcd(value, view.byteLength) : value
    if (number === null || typeof number === 'string' || !setNumber(view, number, tagTypeOf(type)))
      return null
  }
  const { wordsSwapped, bytesSwapped } = swapsOf(format)
  return Array.from({ length: count }, (_, index) =>
    view.getUint16((wordsSwapped ? count - 1 - index : index) * 2, bytesSwapped),
  )
}

/** Whether a text is read as Windows-1252 only because its bytes are not UTF-8. */
export function isTextGuessed(registers: ArrayLike<number>, offset: number, format: RegisterFormat): boolean {
  if (format.type !== 'string' || format.textEncoding !== undefined) return false
  return decodeTextStrictly(usedBytes(orderedBytes(registers, offset, format), format), 'utf8') === null
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

function swapsOf({ type, wordOrder }: RegisterFormat): {
  wordsSwapped: boolean
  bytesSwapped: boolean
} {
  return {
    wordsSwapped: type !== 'string' && (wordOrder === 'CDAB' || wordOrder === 'DCBA'),
    bytesSwapped: wordOrder === 'BADC' || wordOrder === 'DCBA',
  }
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

/** Null for a digit above 9. */
function decodeBcd(view: DataView, type: BcdType): number | bigint | null {
  const digits = Buffer.from(view.buffer).toString('hex')
  if (/[a-f]/.test(digits)) return null
  return bcdHolders[type] === 'uint64' ? BigInt(digits) : Number(digits)
}

/** The whole number whose hex digits are the decimal ones of `value`; null if they are too many. */
function toBcd(value: TagValue, bytes: number): bigint | null {
  if (typeof value === 'string' || typeof value === 'boolean') return null
  const digits = String(typeof value === 'bigint' ? value : Math.round(value))
  return /^\d+$/.test(digits) && digits.length <= 2 * bytes ? BigInt(`0x${digits}`) : null
}

/** A string ends at its first NUL; controllers pad the rest with NULs or spaces. */
function usedBytes({ buffer }: DataView, { stringBytes }: RegisterFormat): Uint8Array {
  const bytes = new Uint8Array(buffer as ArrayBuffer, 0, stringBytes)
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

function decodePadded(bytes: Uint8Array, encoding?: TextEncoding): string {
  const text = encoding === undefined ? decodeTextStrictly(bytes, 'utf8') : decodeText(bytes, encoding)
  return (text ?? decodeText(bytes, 'latin1')).trimEnd()
}
