import type { TagType } from './tag-type.ts'
import type { UplinkValue } from './uplink-record.ts'

/**
 * HMIs send most values as texts and never send the type of a tag, and a tag has one type. So it is guessed, once:
 *
 * - A tag's first value decides its type; a text that looks like a number only by chance stays a text: `007`, `1e5`,
 *   `+5`, `0x1F`, integers of 16 digits and more, which a float would change.
 * - `1e-05` and `2.5E+10` are numbers, as printf writes them; `true` and `false` are switches; `0` and `1` numbers.
 * - A text without a letter or a digit, such as `----` of a controller that is away when the HMI starts, does not show
 *   the type: an unknown tag does not begin with it.
 * - The type stays. A later value is read under it as generously as makes sense: `007` in a number is 7, `1` in a
 *   switch is true, 5 in a text is `5`. An unreadable value, such as `----` of a controller that is away, is bad
 *   quality without a value; it never makes a new version of the tag, or its type would flip with every fault of the
 *   line.
 * See rules/telemetry.md: guessed types.
 */
export function guessType(value: string | number | boolean | null): TagType | undefined {
  switch (typeof value) {
    case 'number':
      return 'float64'
    case 'boolean':
      return 'bool'
    case 'string':
      if (!sayingPattern.test(value)) return undefined
      if (switchPattern.test(value)) return 'bool'
      return plainNumberPattern.test(value) ? 'float64' : 'string'
    default:
      return undefined
  }
}

const sayingPattern = /[\p{L}\p{N}]/u
const plainNumberPattern = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:[eE][+-]\d{1,3})?$/
const switchPattern = /^(?:true|false)$/i
const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/
const integerPattern = /^[+-]?\d{1,19}$/

/** A value whose type was guessed, under the type its tag has; null if it cannot be read. */
export function readGuessed(type: TagType, value: UplinkValue): UplinkValue {
  if (value === null) return null
  switch (type) {
    case 'float64':
      return readNumber(value)
    case 'bool':
      return readSwitch(value)
    case 'int64':
      return readInteger(value)
    case 'string':
      return String(value)
  }
}

function readNumber(value: Exclude<UplinkValue, null>): number | null {
  if (typeof value !== 'string') return Number(value)
  const text = value.trim()
  return numberPattern.test(text) ? Number(text) : null
}

function readSwitch(value: Exclude<UplinkValue, null>): boolean | null {
  const text = String(value).trim().toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : null
}

function readInteger(value: Exclude<UplinkValue, null>): bigint | number | null {
  if (typeof value !== 'string') return typeof value === 'bigint' ? value : Number(value)
  const text = value.trim()
  return integerPattern.test(text) ? BigInt(text.replace('+', '')) : null
}
