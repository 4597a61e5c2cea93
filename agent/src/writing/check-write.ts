import type { WriteRefusal } from '../machine.ts'
import type { Tag, TagValue } from '../tag.ts'
import { integerRanges, isScaled, unscaleValue } from '../tag.ts'

/** Why a published value cannot be written to a tag; null when it can. */
export function checkWrite(tag: Tag, value: TagValue): WriteRefusal | null {
  if (tag.readOnly) return 'readOnly'
  if (tag.type === 'bool') return typeof value === 'boolean' ? null : 'type'
  if (tag.type === 'string') return typeof value === 'string' ? null : 'type'
  if (typeof value !== 'number' && typeof value !== 'bigint') return 'type'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'type'
  if (tag.min !== undefined && value < tag.min) return 'range'
  if (tag.max !== undefined && value > tag.max) return 'range'
  return isNumberOfType(tag, value)
}

function isNumberOfType(tag: Tag, value: number | bigint): WriteRefusal | null {
  if (tag.type === 'float32') {
    return Number.isFinite(Math.fround(Number(unscaleValue(tag, value)))) ? null : 'range'
  }
  const range = integerRanges[tag.type]
  if (range === undefined) return null
  const isWhole = typeof value === 'bigint' || Number.isInteger(value)
  if (!isWhole && !isScaled(tag)) return 'type'
  const raw = unscaleValue(tag, value)
  const whole = typeof raw === 'bigint' ? raw : BigInt(Math.round(Number(raw)))
  return whole < range[0] || whole > range[1] ? 'range' : null
}
