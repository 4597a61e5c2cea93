import { type telemetry as contract, decimalPlaces, limits } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import type { WrittenValue } from './is-written.ts'
import { outOfRange, tooLargeForNumber, tooManyPlaces } from './write-failures.ts'

const int64Pattern = /^-?[0-9]{1,19}$/
const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n

/**
 * The value as the tag's type holds it, digit for digit. Throws VALUE_TYPE; VALUE_DIGITS where the tag has fewer digits;
 * VALUE_RANGE with the limits as data (rules/visits.md: writes).
 */
export function parseWrite(tag: contract.Tag, value: boolean | number | string): WrittenValue {
  const typed = typedValue(tag, value)
  if (typed === undefined) throw new Failure('VALUE_TYPE')
  const isNumber = typeof typed === 'number' || typeof typed === 'bigint'
  const isBelow = isNumber && tag.min !== null && typed < tag.min
  const isAbove = isNumber && tag.max !== null && typed > tag.max
  const isStrange = tag.enum !== undefined && !Object.hasOwn(tag.enum, String(typed))
  if (isBelow || isAbove || isStrange) throw outOfRange(tag, typed)
  return typed
}

function typedValue(tag: contract.Tag, value: boolean | number | string): WrittenValue | undefined {
  switch (tag.type) {
    case 'bool':
      return typeof value === 'boolean' ? value : undefined
    case 'float64':
      return float(tag, value)
    case 'string':
      return typeof value === 'string' && isText(value) ? value : undefined
    case 'int64':
      return integer(tag, value)
  }
}

function float(tag: contract.Tag, value: boolean | number | string): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  // Only decimal places count: a scale below zero shortens the display, while the machine takes every digit.
  const places = tag.scale === null ? null : Math.max(tag.scale, 0)
  if (places !== null && decimalPlaces(value) > places) throw tooManyPlaces(tag, value, places)
  return value
}

/** Beyond 2^53 as a string of digits: a number there is one of several. */
function integer(tag: contract.Tag, value: boolean | number | string): bigint | undefined {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) throw tooManyPlaces(tag, value, 0)
    if (!Number.isSafeInteger(value)) throw tooLargeForNumber(tag, value)
    return BigInt(value)
  }
  if (typeof value !== 'string' || !int64Pattern.test(value)) return undefined
  const whole = BigInt(value)
  if (whole < int64Min || whole > int64Max) throw outOfRange(tag, whole)
  return whole
}

function isText(value: string): boolean {
  return Buffer.byteLength(value) <= limits.tagTextBytesMax && !value.includes('\0')
}
