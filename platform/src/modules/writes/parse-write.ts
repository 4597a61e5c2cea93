import { type telemetry as contract, limits } from '@busbar/contract'
import { Failure } from '../../http/failure.ts'
import type { WrittenValue } from './is-written.ts'

const int64Pattern = /^-?[0-9]{1,19}$/
const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n

/** The value as the tag's type holds it. Throws VALUE_TYPE, or VALUE_RANGE with the limits as data. */
export function parseWrite(tag: contract.Tag, value: boolean | number | string): WrittenValue {
  const typed = typedValue(tag, value)
  if (typed === undefined) throw new Failure('VALUE_TYPE')
  const isNumber = typeof typed === 'number' || typeof typed === 'bigint'
  const isBelow = isNumber && tag.min !== null && typed < tag.min
  const isAbove = isNumber && tag.max !== null && typed > tag.max
  const isStrange = tag.enum !== undefined && !Object.hasOwn(tag.enum, String(typed))
  if (isBelow || isAbove || isStrange) throw outOfRange(tag)
  return typed
}

/** The value is outside of what the tag, or the type its machine announced, allows. */
export function outOfRange(tag: Pick<contract.Tag, 'min' | 'max'>): Failure {
  return new Failure('VALUE_RANGE', { data: { min: tag.min, max: tag.max } })
}

function typedValue(tag: contract.Tag, value: boolean | number | string): WrittenValue | undefined {
  switch (tag.type) {
    case 'bool':
      return typeof value === 'boolean' ? value : undefined
    case 'float64':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    case 'string':
      return typeof value === 'string' && isText(value) ? value : undefined
    case 'int64':
      return integer(tag, value)
  }
}

/** Beyond 2^53 as a string of digits: a number there is one of several (decision 43). */
function integer(tag: contract.Tag, value: boolean | number | string): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string' || !int64Pattern.test(value)) return undefined
  const whole = BigInt(value)
  if (whole < int64Min || whole > int64Max) throw outOfRange(tag)
  return whole
}

function isText(value: string): boolean {
  return Buffer.byteLength(value) <= limits.tagTextBytesMax && !value.includes('\0')
}
