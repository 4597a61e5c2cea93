import type { TagType } from './tag-type.ts'
import type { UplinkValue } from './uplink-record.ts'

/**
 * The type of a value of an HMI, which sends most values as texts and never the type of a tag. A text that looks like a
 * number only by chance stays a text: `007`, `1e5`, `+5`, `0x1F`, integers of 16 digits and more, which a float would
 * change. `1e-05` and `2.5E+10` are numbers, as printf writes them; `true` and `false` are switches; `0` and `1`
 * numbers. Undefined for a value that says nothing of the type (rules/telemetry.md: guessed types).
 */
export function guessType(value: string | number | boolean | null): TagType | undefined {
  if (typeof value !== 'string') return typeOfJson(value)
  if (!sayingPattern.test(value) || isNoValue(value)) return undefined
  if (switchPattern.test(value)) return 'bool'
  return plainNumberPattern.test(value) ? 'float64' : 'string'
}

/**
 * The type of a value in JSON of a sender that distinguishes texts from numbers, but not 1 from 1.0: a number is always a
 * float. Undefined for a value that says nothing of the type.
 */
export function typeOfJson(value: string | number | boolean | null): TagType | undefined {
  switch (typeof value) {
    case 'number':
      return 'float64'
    case 'boolean':
      return 'bool'
    case 'string':
      return isNoValue(value) ? undefined : 'string'
    default:
      return undefined
  }
}

/** Whether a text stands for a missing value: `--`, `N/A`, `ERR`, `NaN` and the like. */
function isNoValue(text: string): boolean {
  const word = text.trim()
  return word.length <= noValueCharactersMax && noValuePattern.test(word)
}

const noValueCharactersMax = 64
/** Lines and dots, and what programs print for a number that they do not have. */
const noValuePattern =
  /^(?:[-–—−_.*#?/ ]+|n\.?\/?a\.?|err(?:or)?|null|nil|undefined|unavailable|invalid|[-+]?(?:[qs]?nan(?:\(\w*\))?|inf(?:inity)?|1\.#\w+)|#(?:n\/a|value!|num!|ref!|div\/0!))$/i
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
