import type { QualityNumber } from '@busbar/link'
import { Quality } from '@busbar/link'
import type { DataValue, StatusCode, VariantOptions } from 'node-opcua-client'
import { coerceLocalizedText, DataType, VariantArrayType } from 'node-opcua-client'
import type { TagType, TagValue } from '../../tag.ts'
import { integerRanges } from '../../tag.ts'

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

/** A value in the type of its tag, or the reason why it cannot be converted. */
export type Decoded = { value: TagValue; dataType: DataType } | { refused: string }

/** The scalar in a data value in the form of `type`, or in the node's form if the type is still unknown. */
export function decodeValue({ value: variant }: DataValue, type: TagType | null, isScaled = false): Decoded {
  if (variant === undefined || variant.value === null || variant.value === undefined)
    return { refused: 'the node has no value' }
  const { dataType, arrayType } = variant
  if (arrayType !== VariantArrayType.Scalar)
    return { refused: 'the node holds an array; a tag takes a single value' }
  const own = tagTypeFor(dataType)
  if (own === null) return { refused: `the node is of type ${DataType[dataType]}, which no tag can have` }
  if (isScaled && (own === 'bool' || own === 'string'))
    return { refused: `factor and offset do not apply to a node of type ${DataType[dataType]}` }
  const value = convert(scalarOf(dataType, variant.value), type ?? own)
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
    if (typeof value === 'bigint' && BigInt(number) !== value) return null
    return Number.isFinite(number) ? number : null
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

/** A raw value in the node's own type. Throws with an explanation for a person if it does not fit. */
export function encodeValue(value: TagValue, dataType: DataType): VariantOptions {
  const type = tagTypeFor(dataType)
  if (type === null) throw new Error(`the node is of type ${DataType[dataType]}, which cannot be written`)
  const arrayType = VariantArrayType.Scalar
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw misfit(dataType)
    return { dataType, arrayType, value }
  }
  if (type === 'string') return { dataType, arrayType, value: encodeText(String(value), dataType) }
  if (typeof value === 'boolean' || typeof value === 'string') throw misfit(dataType)
  if (type === 'float32' || type === 'float64') return { dataType, arrayType, value: Number(value) }
  const whole = typeof value === 'bigint' ? value : BigInt(Math.round(value))
  const [least, most] = byteRanges[dataType] ?? integerRanges[type] ?? [0n, 0n]
  if (whole < least || whole > most) throw misfit(dataType)
  if (type !== 'int64' && type !== 'uint64') return { dataType, arrayType, value: Number(whole) }
  const bits = BigInt.asUintN(64, whole)
  return { dataType, arrayType, value: [Number(bits >> 32n), Number(bits & 0xffff_ffffn)] }
}

function encodeText(text: string, dataType: DataType): unknown {
  if (dataType === DataType.LocalizedText) return coerceLocalizedText(text)
  if (dataType !== DataType.DateTime) return text
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw misfit(dataType)
  return date
}

function misfit(dataType: DataType): Error {
  return new Error(`the value does not fit into the node’s type (${DataType[dataType]})`)
}
