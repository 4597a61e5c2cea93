import type { TextEncoding } from '@busbar/link'
import { decimalOfFloat32, decodeText } from '@busbar/link'
import type { TagValue } from '../../tag.ts'
import { fitText, ValueMisfit } from '../value-misfit.ts'
import type { S7Address } from './address.ts'
import type { S7Format } from './formats.ts'
import { formatName } from './formats.ts'

/**
 * The value that begins at byte `at` of `bytes`; null if it is not valid (NaN, a digit of a BCD number above
 * 9, a text longer than its space). Times are numbers in ms (LTIME in ns), dates are texts without a time
 * zone.
 */
export function decodeValue(
  bytes: Buffer,
  at: number,
  { format, bit }: Pick<S7Address, 'format' | 'bit'>,
  encoding: TextEncoding,
): TagValue | null {
  switch (format.type) {
    case 'BOOL':
      return ((bytes.readUInt8(at) >> (bit ?? 0)) & 1) === 1
    case 'BYTE':
    case 'USINT':
      return bytes.readUInt8(at)
    case 'SINT':
      return bytes.readInt8(at)
    case 'WORD':
    case 'UINT':
      return bytes.readUInt16BE(at)
    case 'INT':
      return bytes.readInt16BE(at)
    case 'DWORD':
    case 'UDINT':
    case 'TIME_OF_DAY':
      return bytes.readUInt32BE(at)
    case 'DINT':
    case 'TIME':
      return bytes.readInt32BE(at)
    case 'LWORD':
    case 'ULINT':
      return bytes.readBigUInt64BE(at)
    case 'LINT':
    case 'LTIME':
      return bytes.readBigInt64BE(at)
    case 'REAL':
      return finiteOrNull(decimalOfFloat32(bytes.readFloatBE(at)))
    case 'LREAL':
      return finiteOrNull(bytes.readDoubleBE(at))
    case 'S5TIME':
    case 'TIMER':
      return decodeS5Time(bytes.readUInt16BE(at))
    case 'COUNTER':
      return fromBcd(bytes.readUInt16BE(at) & 0xfff)
    case 'DATE':
      return formatInstant(dateZeroMs + bytes.readUInt16BE(at) * dayMs).slice(0, 10)
    case 'DATE_AND_TIME':
      return decodeDateAndTime(bytes.subarray(at, at + 8))
    case 'DTL':
      return decodeDtl(bytes.subarray(at, at + 12))
    case 'CHAR':
      return decodeText(bytes.subarray(at, at + format.length), encoding)
    case 'STRING': {
      const used = bytes.readUInt8(at + 1)
      if (used > Math.min(format.length, bytes.readUInt8(at))) return null
      return decodeText(bytes.subarray(at + 2, at + 2 + used), encoding)
    }
    case 'WSTRING': {
      const used = bytes.readUInt16BE(at + 2)
      if (used > Math.min(format.length, bytes.readUInt16BE(at))) return null
      const characters = Buffer.from(bytes.subarray(at + 4, at + 4 + 2 * used)).swap16()
      return characters.toString('utf16le')
    }
  }
}

/**
 * The bytes of a value; of a STRING or WSTRING the length and the characters, without the maximum length in
 * front, which the controller keeps. Throws `ValueMisfit`. A BOOL is one byte, 0 or 1.
 */
export function encodeValue(value: TagValue, format: S7Format, encoding: TextEncoding): Buffer {
  const bytes =
    typeof value === 'string'
      ? encodeString(value, format, encoding)
      : typeof value === 'boolean'
        ? encodeBool(value, format)
        : encodeNumber(value, format)
  if (bytes === null) throw new ValueMisfit(`the value does not fit ${formatName(format)}`)
  return bytes
}

function encodeBool(value: boolean, { type }: S7Format): Buffer | null {
  return type === 'BOOL' ? Buffer.of(value ? 1 : 0) : null
}

function encodeNumber(value: number | bigint, format: S7Format): Buffer | null {
  switch (format.type) {
    case 'REAL': {
      const number = Math.fround(Number(value))
      if (!Number.isFinite(number)) return null
      const bytes = Buffer.alloc(4)
      bytes.writeFloatBE(number)
      return bytes
    }
    case 'LREAL': {
      if (!Number.isFinite(Number(value))) return null
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleBE(Number(value))
      return bytes
    }
    case 'S5TIME':
      return encodeS5Time(Math.round(Number(value)))
    case 'COUNTER': {
      const count = Math.round(Number(value))
      return count < 0 || count > 999 ? null : wordOf(toBcd(count))
    }
    default: {
      const range = ranges[format.type]
      if (range === undefined) return null
      const whole = typeof value === 'bigint' ? value : BigInt(Math.round(value))
      const { bytes: count, isSigned, most } = range
      const bits = BigInt(8 * count)
      const least = isSigned ? -(2n ** (bits - 1n)) : 0n
      if (whole < least || whole > (most ?? (isSigned ? -least - 1n : 2n ** bits - 1n))) return null
      const hex = BigInt.asUintN(8 * count, whole).toString(16)
      return Buffer.from(hex.padStart(2 * count, '0'), 'hex')
    }
  }
}

const dayMs = 86_400_000
const ranges: Partial<Record<S7Format['type'], { bytes: number; isSigned: boolean; most?: bigint }>> = {
  BYTE: { bytes: 1, isSigned: false },
  USINT: { bytes: 1, isSigned: false },
  SINT: { bytes: 1, isSigned: true },
  WORD: { bytes: 2, isSigned: false },
  UINT: { bytes: 2, isSigned: false },
  INT: { bytes: 2, isSigned: true },
  DWORD: { bytes: 4, isSigned: false },
  UDINT: { bytes: 4, isSigned: false },
  DINT: { bytes: 4, isSigned: true },
  TIME: { bytes: 4, isSigned: true },
  TIME_OF_DAY: { bytes: 4, isSigned: false, most: BigInt(dayMs - 1) },
  LWORD: { bytes: 8, isSigned: false },
  ULINT: { bytes: 8, isSigned: false },
  LINT: { bytes: 8, isSigned: true },
  LTIME: { bytes: 8, isSigned: true },
}

function encodeString(text: string, format: S7Format, encoding: TextEncoding): Buffer | null {
  switch (format.type) {
    case 'CHAR': {
      const characters = fitText(text, encoding, format.length)
      return characters && Buffer.concat([characters, Buffer.alloc(format.length - characters.length, ' ')])
    }
    case 'STRING': {
      const characters = fitText(text, encoding, format.length)
      return characters && Buffer.concat([Buffer.of(characters.length), characters])
    }
    case 'WSTRING': {
      if (text.length > format.length) return null
      return Buffer.concat([wordOf(text.length), Buffer.from(text, 'utf16le').swap16()])
    }
    case 'DATE':
    case 'DATE_AND_TIME':
    case 'DTL':
      return encodeDate(text, format)
    default:
      return null
  }
}

/** A BCD number with its base in bits 12 and 13: 10 ms, 100 ms, 1 s, 10 s. */
function decodeS5Time(word: number): number | null {
  const count = fromBcd(word & 0xfff)
  return count === null ? null : count * 10 ** (1 + ((word >> 12) & 3))
}

function encodeS5Time(ms: number): Buffer {
  for (let base = 0; base < 4; base++) {
    const count = ms / 10 ** (1 + base)
    if (Number.isInteger(count) && count >= 0 && count <= 999) return wordOf((base << 12) | toBcd(count))
  }
  throw new ValueMisfit(
    `S5TIME cannot hold ${ms} ms: it has three digits of 10 ms, 100 ms, 1 s or 10 s, to 9990000 ms`,
  )
}

/** Null if one of the digits is invalid. */
function fromBcd(bits: number): number | null {
  const text = bits.toString(16)
  return /^\d+$/.test(text) ? Number(text) : null
}

const toBcd = (number: number): number => Number.parseInt(String(number), 16)

function wordOf(word: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(word)
  return bytes
}

const dateZeroMs = Date.UTC(1990, 0, 1)

/** `2026-11-23T13:20:05.000` of an instant in the controller's own time. */
const formatInstant = (atMs: number): string => new Date(atMs).toISOString().slice(0, -1)

/** Null for a day or an hour that does not exist. */
function instantOf(parts: readonly (number | null)[]): number | null {
  if (parts.includes(null)) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = parts.map(Number)
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms))
  const isSame =
    at.getUTCMonth() === month - 1 &&
    at.getUTCDate() === day &&
    at.getUTCHours() === hour &&
    at.getUTCMinutes() === minute &&
    at.getUTCSeconds() === second
  return isSame ? at.getTime() : null
}

/** Two digits each of year (90 to 89), month, day, hour, minute, second; three of ms, and the day of the week. */
function decodeDateAndTime(bytes: Buffer): string | null {
  const [year = null, ...rest] = [...bytes.subarray(0, 6)].map(fromBcd)
  const ms = fromBcd(bytes.readUInt16BE(6) >> 4)
  if (year === null) return null
  const at = instantOf([year + (year < 90 ? 2_000 : 1_900), ...rest, ms])
  return at === null ? null : formatInstant(at)
}

/** Year as a word, month, day, day of the week, hour, minute, second, and ns as a double word. */
function decodeDtl(bytes: Buffer): string | null {
  const [month = 0, day = 0, , hour = 0, minute = 0, second = 0] = bytes.subarray(2, 8)
  const at = instantOf([bytes.readUInt16BE(0), month, day, hour, minute, second, 0])
  const ns = bytes.readUInt32BE(8)
  if (at === null || ns > 999_999_999) return null
  const digits = String(ns).padStart(9, '0')
  return `${formatInstant(at).slice(0, 19)}.${digits.endsWith('000000') ? digits.slice(0, 3) : digits}`
}

function encodeDate(text: string, format: S7Format): Buffer {
  const bytes = /^\d{4}-\d\d-\d\d/.test(text) ? dateBytes(text, format) : null
  // Written only if it reads back as the same text.
  if (bytes === null || decodeValue(bytes, 0, { format, bit: null }, 'latin1') !== text) {
    const example = format.type === 'DATE' ? '2026-11-23' : '2026-11-23T13:20:05.000'
    throw new ValueMisfit(`${format.type} is written like ${example}, and has to be a day that it can hold`)
  }
  return bytes
}

function dateBytes(text: string, { type }: S7Format): Buffer | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/\D/).map(Number)
  const fraction = Number((/\.(\d{1,9})$/.exec(text)?.[1] ?? '').padEnd(9, '0'))
  const at = Date.UTC(year, month - 1, day)
  const weekday = new Date(at).getUTCDay() + 1
  if (type === 'DATE') {
    const days = (at - dateZeroMs) / dayMs
    return days >= 0 && days <= 0xffff ? wordOf(days) : null
  }
  if (type === 'DTL') {
    if (year > 0xffff) return null
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16BE(year)
    bytes.set([month, day, weekday, hour, minute, second], 2)
    bytes.writeUInt32BE(fraction, 8)
    return bytes
  }
  const ms = Math.floor(fraction / 1e6)
  const pairs = [year % 100, month, day, hour, minute, second].map(toBcd)
  return Buffer.from([...pairs, toBcd(Math.floor(ms / 10)), ((ms % 10) << 4) | weekday])
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
