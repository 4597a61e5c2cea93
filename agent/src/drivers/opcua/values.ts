import type { QualityNumber } from '@busbar/link'
import { decimalOfFloat32, guidPattern, Quality } from '@busbar/link'
import type { DataValue, StatusCode, VariantOptions } from 'node-opcua-client'
import { coerceLocalizedText, DataType, VariantArrayType } from 'node-opcua-client'
import type { TagType, TagValue } from '../../tag.ts'
import { integerRanges } from '../../tag.ts'
import type { NodeShape } from './node-shape.ts'

const tagTypeOf: Partial<Record<DataType, TagType>> = {
  [DataType.Boolean]: 'bool',
  [DataType.SByte]: 'int16',
  [DataType.Byte]: 'uint16',
  [DataType.Int16]: 'int16',
  [DataType.UInt16]: 'uint16',
  [DataType.Int32]: 'int32',
  [DataType.UInt32]: 'uint32',
  [DataType.Int64]: 'int64',
  [DataType.UInt64]: 'uint64',
  [DataType.Float]: 'float32',
  [DataType.Double]: 'float64',
  [DataType.String]: 'string',
  [DataType.LocalizedText]: 'string',
  [DataType.DateTime]: 'string',
  [DataType.Guid]: 'string',
  [DataType.StatusCode]: 'uint32',
}

/** The type of tag that holds every value of a built-in type; null for one that no tag can have. */
export function tagTypeFor(dataType: DataType): TagType | null {
  return tagTypeOf[dataType] ?? null
}

/** A status by its two upper bits (OPC 10000-4, 7.39). */
export function qualityOf({ value }: Pick<StatusCode, 'value'>): QualityNumber {
  const severity = (value >>> 30) & 3
  if (severity === 0) return Quality.good
  return severity === 1 ? Quality.uncertain : Quality.bad
}

/** Why no tag can have a node's values: they are neither read nor written. Null if one can. */
export function shapeRefusal({ dataType, isArray }: NodeShape, isScaled: boolean): string | null {
  if (isArray) return 'the node holds an array; a tag takes a single value'
  const type = tagTypeFor(dataType)
  if (type === null) return `the node is of type ${DataType[dataType]}, which no tag can have`
  if (isScaled && (type === 'bool' || type === 'string'))
    return `factor and offset do not apply to a node of type ${DataType[dataType]}`
  return null
}

/** A value in the type of its tag, or the reason why it cannot be converted. */
export type Decoded = { value: TagValue; dataType: DataType } | { refused: string }

/** The scalar in a data value in the form of `type`, or in the node's form if the type is still unknown. */
export function decodeValue({ value: variant }: DataValue, type: TagType | null, isScaled = false): Decoded {
  if (variant === undefined || variant.value === null || variant.value === undefined)
    return { refused: 'the node has no value' }
  const { dataType } = variant
  const refused = shapeRefusal({ dataType, isArray: variant.arrayType !== VariantArrayType.Scalar }, isScaled)
  if (refused !== null) return { refused }
  const own = scalarOf(dataType, variant.value)
  if (typeof own === 'number' && !Number.isFinite(own))
    return { refused: `the node’s value is no number (${own})` }
  const value = convert(own, type ?? tagTypeFor(dataType) ?? 'string')
  if (value === null) return { refused: `the node’s value (${DataType[dataType]}) does not fit into ${type}` }
  return { value, dataType }
}

function scalarOf(dataType: DataType, value: unknown): TagValue {
  switch (dataType) {
    case DataType.Int64:
      return BigInt.asIntN(64, wideOf(value))
    case DataType.UInt64:
      return wideOf(value)
    case DataType.LocalizedText:
      return (value as { text?: string | null }).text ?? ''
    case DataType.DateTime:
      return (value as Date).toISOString()
    case DataType.StatusCode:
      return (value as StatusCode).value
    case DataType.Boolean:
      return value === true
    case DataType.Float:
      return decimalOfFloat32(Number(value))
    case DataType.String:
    case DataType.Guid:
      return String(value)
    default:
      return Number(value)
  }
}

/** The library holds 64 bits as two numbers, the upper first. */
function wideOf(value: unknown): bigint {
  const [high = 0, low = 0] = value as [number, number]
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
}

/** A value in the kind of `type`, exactly; null if that is not possible. */
function convert(value: TagValue, type: TagType): TagValue | null {
  if (type === 'string') return typeof value === 'string' ? value : String(value)
  if (type === 'bool') return typeof value === 'boolean' ? value : null
  if (typeof value === 'string' || typeof value === 'boolean') return null
  if (type === 'float32' || type === 'float64') {
    const number = Number(value)
    return typeof value === 'bigint' && BigInt(number) !== value ? null : number
  }
  if (typeof value === 'number' && !Number.isInteger(value)) return null
  const [least, most] = integerRanges[type] ?? [0n, 0n]
  const whole = BigInt(value)
  if (whole < least || whole > most) return null
  return type === 'int64' || type === 'uint64' ? whole : Number(whole)
}

const byteRanges: Partial<Record<DataType, readonly [bigint, bigint]>> = {
  [DataType.SByte]: [-128n, 127n],
  [DataType.Byte]: [0n, 255n],
}

/**
 * A raw value in the node's own type, which a tag can have. Throws with an explanation for a person if it does
 * not fit.
 */
export function encodeValue(value: TagValue, dataType: DataType): VariantOptions {
  const arrayType = VariantArrayType.Scalar
  const type = tagTypeFor(dataType)
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw misfit(dataType)
    return { dataType, arrayType, value }
  }
  if (type === 'string') {
    if (typeof value !== 'string') throw misfit(dataType)
    return { dataType, arrayType, value: encodeText(value, dataType) }
  }
  if (type === null || typeof value === 'boolean' || typeof value === 'string') throw misfit(dataType)
  if (type === 'float32' || type === 'float64') {
    const number = Number(value)
    const kept = type === 'float32' ? Math.fround(number) : number
    if (!Number.isFinite(kept) || (typeof value === 'bigint' && BigInt(kept) !== value))
      throw misfit(dataType)
    return { dataType, arrayType, value: number }
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw misfit(dataType)
  const whole = typeof value === 'bigint' ? value : BigInt(Math.round(value))
  const [least, most] = byteRanges[dataType] ?? integerRanges[type] ?? [0n, 0n]
  if (whole < least || whole > most) throw misfit(dataType)
  if (type === 'int64' || type === 'uint64') {
    const bits = BigInt.asUintN(64, whole)
    return { dataType, arrayType, value: [Number(bits >> 32n), Number(bits & 0xffff_ffffn)] }
  }
  const number = Number(whole)
  return { dataType, arrayType, value: dataType === DataType.StatusCode ? { value: number } : number }
}

function encodeText(text: string, dataType: DataType): unknown {
  switch (dataType) {
    case DataType.LocalizedText:
      return coerceLocalizedText(text)
    case DataType.Guid:
      if (!guidPattern.test(text))
        throw new Error('a Guid is written like 72962b91-fa75-4ae6-8d28-b404dc7daf63')
      return text
    case DataType.DateTime: {
      const date = new Date(text)
      // Written only if it reads back as the same text.
      if (Number.isNaN(date.getTime()) || date.toISOString() !== text)
        throw new Error('a DateTime is written like 2026-11-23T13:20:05.000Z')
      return date
    }
    default:
      return text
  }
}

function misfit(dataType: DataType): Error {
  return new Error(`the value does not fit into the node’s type (${DataType[dataType]})`)
}
