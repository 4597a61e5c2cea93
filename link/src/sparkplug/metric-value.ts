import { decimalOfFloat32 } from '../kept-values.ts'
import { LinkError } from '../link-error.ts'
import { SparkplugDatatype } from './datatype.ts'
import type { SparkplugMetric, SparkplugProperty, SparkplugRaw, SparkplugValue } from './payload.ts'

/**
 * A metric's value under the data type its birth announced. Int8, Int16 and Int32 are two's complement in
 * `int_value`, Int64 in `long_value`. The 64-bit types (Int64, UInt64, DateTime) always give a bigint, smaller
 * integers and floats a number, so a tag keeps one type whatever its value.
 *
 * Null stands for a missing value: an explicit null (`metric.raw.kind` is `null`), a kind the type cannot
 * hold, or bytes, data sets and templates. NaN and infinities are given as they came, a float32 as the decimal that it
 * stands for. Without a data type the wire's own kind decides.
 */
export function metricValue(
  metric: Pick<SparkplugMetric, 'raw'>,
  datatype: number | undefined,
): SparkplugValue {
  return decodeRaw(metric.raw, datatype)
}

/** A property's value, see `metricValue`; a property brings its own type. */
export function propertyValue(property: SparkplugProperty | undefined): SparkplugValue {
  return property === undefined ? null : decodeRaw(property.raw, property.type)
}

function decodeRaw(raw: SparkplugRaw, datatype: number | undefined): SparkplugValue {
  switch (datatype) {
    case SparkplugDatatype.int8:
      return signed(raw, 8)
    case SparkplugDatatype.int16:
      return signed(raw, 16)
    case SparkplugDatatype.int32:
      return signed(raw, 32)
    case SparkplugDatatype.uint8:
      return unsigned(raw, 8)
    case SparkplugDatatype.uint16:
      return unsigned(raw, 16)
    case SparkplugDatatype.uint32:
      return unsigned(raw, 32)
    case SparkplugDatatype.int64: {
      // A 32-bit field with a 64-bit type comes from nodes that send the smallest field that fits.
      const bits = integerBits(raw)
      return bits === null ? null : BigInt.asIntN(64, BigInt(bits))
    }
    case SparkplugDatatype.uint64:
    case SparkplugDatatype.dateTime: {
      const bits = integerBits(raw)
      return bits === null ? null : BigInt(bits)
    }
    case SparkplugDatatype.float:
    case SparkplugDatatype.double:
      if (raw.kind === 'float') return decimalOfFloat32(raw.value)
      if (raw.kind === 'double' || raw.kind === 'int') return raw.value
      return raw.kind === 'long' ? Number(raw.value) : null
    case SparkplugDatatype.boolean:
      if (raw.kind === 'boolean') return raw.value
      return raw.kind === 'int' ? raw.value !== 0 : null
    case SparkplugDatatype.string:
    case SparkplugDatatype.text:
    case SparkplugDatatype.uuid:
      return raw.kind === 'string' ? raw.value : null
    case undefined:
    case SparkplugDatatype.unknown:
      if (raw.kind === 'float') return decimalOfFloat32(raw.value)
      return raw.kind === 'null' || raw.kind === 'other' || raw.kind === 'bytes' ? null : raw.value
    default:
      return null
  }
}

function integerBits(raw: SparkplugRaw): number | bigint | null {
  return raw.kind === 'int' || raw.kind === 'long' ? raw.value : null
}

function signed(raw: SparkplugRaw, bits: 8 | 16 | 32): number | null {
  if (raw.kind === 'int') return (raw.value << (32 - bits)) >> (32 - bits)
  return raw.kind === 'long' ? Number(BigInt.asIntN(bits, raw.value)) : null
}

function unsigned(raw: SparkplugRaw, bits: 8 | 16 | 32): number | null {
  if (raw.kind === 'int') return (raw.value << (32 - bits)) >>> (32 - bits)
  return raw.kind === 'long' ? Number(BigInt.asUintN(bits, raw.value)) : null
}

/**
 * The wire form of a value under a data type, the inverse of `metricValue`. UInt32 goes into `long_value`, where
 * Eclipse Tahu's own libraries look for it. Throws `LinkError` `unsupported` when the value does not fit the type.
 */
export function rawValue(value: SparkplugValue, datatype: number): SparkplugRaw {
  if (value === null) return { kind: 'null' }
  switch (datatype) {
    case SparkplugDatatype.int8:
    case SparkplugDatatype.int16:
    case SparkplugDatatype.int32:
    case SparkplugDatatype.uint8:
    case SparkplugDatatype.uint16: {
      const raw: SparkplugRaw = { kind: 'int', value: integerNumber(value, datatype) >>> 0 }
      return fitting(raw, value, datatype)
    }
    case SparkplugDatatype.uint32:
    case SparkplugDatatype.int64:
    case SparkplugDatatype.uint64:
    case SparkplugDatatype.dateTime: {
      const raw: SparkplugRaw = { kind: 'long', value: BigInt.asUintN(64, integerBigint(value, datatype)) }
      return fitting(raw, value, datatype)
    }
    case SparkplugDatatype.float:
    case SparkplugDatatype.double:
      if (typeof value !== 'number') throw misfit(value, datatype)
      return { kind: datatype === SparkplugDatatype.float ? 'float' : 'double', value }
    case SparkplugDatatype.boolean:
      if (typeof value !== 'boolean') throw misfit(value, datatype)
      return { kind: 'boolean', value }
    case SparkplugDatatype.string:
    case SparkplugDatatype.text:
    case SparkplugDatatype.uuid:
      if (typeof value !== 'string') throw misfit(value, datatype)
      return { kind: 'string', value }
    default:
      throw misfit(value, datatype)
  }
}

function integerNumber(value: SparkplugValue, datatype: number): number {
  const number = typeof value === 'bigint' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) throw misfit(value, datatype)
  return number
}

function integerBigint(value: SparkplugValue, datatype: number): bigint {
  if (typeof value === 'bigint') return value
  return BigInt(integerNumber(value, datatype))
}

/** Reading it back must give the written value; otherwise bits were lost. */
function fitting(raw: SparkplugRaw, value: SparkplugValue, datatype: number): SparkplugRaw {
  const back = decodeRaw(raw, datatype)
  if (typeof back === typeof value ? back === value : String(back) === String(value)) return raw
  throw misfit(value, datatype)
}

function misfit(value: SparkplugValue, datatype: number): LinkError {
  return new LinkError('unsupported', `a ${typeof value} that does not fit Sparkplug data type ${datatype}`)
}
