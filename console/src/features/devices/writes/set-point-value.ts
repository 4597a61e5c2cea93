import { decimalPlaces, limits, type telemetry } from '@busbar/contract'
import { formatNumber, joinUnit, type Text } from '../../../shared/i18n/index.ts'
import { formatTagValue, type TagWords } from '../../../shared/ui/data/tag-value.ts'

type Tag = telemetry.Tag
export type SetPointValue = boolean | number | string

export type Parsed = { readonly value: SetPointValue } | { readonly problem: string }

type Words = Text['visits']['setPoint']

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)$/
/** A comma as keyboards of several languages type it. */
const comma = /[,\u3001\u066b]/
const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n

/** Distance of the full-width characters from the ASCII ones. */
const fullWidthOffset = 0xfee0

/** More places than a typed number has; `toFixed` accepts it. */
const placesMax = 20

/**
 * A number in the form that is sent: without redundant signs and blanks; digits, signs and full stops of a Chinese
 * keyboard as their narrow ones.
 */
const plain = (typed: string) =>
  typed
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - fullWidthOffset))
    .trim()
    .replace('\u2212', '-')
    .replace(/[\u3002\uff61]/, '.')
    .replace(/^\+/, '')

/** Decimal places of a tag; null: without a limit. */
function placesOf(tag: Tag): number | null {
  if (tag.type === 'int64') return 0
  return tag.scale === null ? null : Math.max(tag.scale, 0)
}

/**
 * Reads the typed value of the tag, or tells why it is not valid. Commas are refused: some readers take them
 * for a decimal point, others for a thousands separator, on a machine that moves. More digits than the tag
 * has are refused, too: nothing is rounded.
 */
export function parseSetPoint(typed: string, tag: Tag, words: Words): Parsed {
  if (tag.type === 'string') {
    const tooLong = new TextEncoder().encode(typed).length > limits.tagTextBytesMax
    return tooLong ? { problem: words.problems.tooLong } : { value: typed }
  }
  const text = plain(typed)
  if (text === '') return { problem: words.problems.empty }
  if (comma.test(text) && !decimal.test(text)) return { problem: words.problems.comma(text) }
  if (!decimal.test(text)) return { problem: words.problems.number }
  const places = placesOf(tag)
  if (places !== null && toUnits(text, places) === undefined)
    return { problem: words.problems.digits(tag.name, places, text) }
  const whole = tag.type === 'int64' ? toUnits(text, 0) : undefined
  const value = whole ?? Number(text)
  const isOutside = (tag.min !== null && value < tag.min) || (tag.max !== null && value > tag.max)
  if (isOutside) return { problem: words.outside(tag.name, formatRange(tag, words)) }
  if (whole !== undefined && (whole < int64Min || whole > int64Max))
    return { problem: words.problems.wide(tag.name, text) }
  // Digits that do not fit a double travel as text.
  if (whole !== undefined)
    return { value: Number.isSafeInteger(Number(whole)) ? Number(whole) : whole.toString() }
  return isHeld(text) ? { value: Number(text) } : { problem: words.problems.precise(tag.name, text) }
}

/** Whether a double represents the typed digits exactly. */
function isHeld(text: string): boolean {
  const digits = (written: string) => written.replace(/\D/g, '').replace(/^0+|0+$/g, '')
  const [mantissa = ''] = Number(text).toExponential().split('e')
  return digits(text) === digits(mantissa)
}

/** A decimal number as a whole number of its last place; undefined if it has more places. */
function toUnits(text: string, places: number): bigint | undefined {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const needed = fraction.replace(/0+$/, '')
  if (needed.length > places) return undefined
  const units = BigInt(whole + needed.padEnd(places, '0'))
  return text.startsWith('-') ? -units : units
}

function fromUnits(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const sign = units < 0n ? '-' : ''
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** The allowed range of a tag, in words; empty if there is none. */
export function formatRange(tag: Tag, words: Words): string {
  const format = (limit: number) => formatNumber(limit, tag.scale)
  const { min, max, unit } = tag
  if (min !== null && max !== null) return words.range(format(min), joinUnit(format(max), unit))
  if (min !== null) return words.from(joinUnit(format(min), unit))
  return max === null ? '' : words.upTo(joinUnit(format(max), unit))
}

/** A value as one types it: no grouping, the tag's decimal places. */
export function typedValue(value: telemetry.TagValue | undefined, tag: Tag): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'number' || tag.type !== 'float64') return String(value)
  return value.toFixed(Math.min(placesOf(tag) ?? decimalPlaces(value), placesMax))
}

/**
 * Moves the typed value one step up or down: one unit of the tag's last digit, or of the last typed digit if
 * the tag does not set the number of digits. The result stays within the tag's limits; a text that is not a
 * value of the tag stays unchanged.
 */
export function stepSetPoint(typed: string, tag: Tag, direction: 1 | -1): string {
  const text = plain(typed)
  if (!decimal.test(text)) return typed
  const places = placesOf(tag) ?? text.split('.')[1]?.length ?? 0
  const units = toUnits(text, places)
  if (units === undefined) return typed
  const next = units + BigInt(direction)
  const lowest = tag.min === null ? next : limitInUnits(tag.min, places, Math.ceil)
  const highest = tag.max === null ? next : limitInUnits(tag.max, places, Math.floor)
  const kept = next < lowest ? lowest : next > highest ? highest : next
  return fromUnits(kept, places)
}

/** A limit on the grid of the tag's last digit, rounded to the allowed side. */
function limitInUnits(limit: number, places: number, round: (value: number) => number): bigint {
  if (decimalPlaces(limit) > places) return BigInt(round(limit * 10 ** places))
  return toUnits(limit.toFixed(Math.min(places, placesMax)), places) ?? BigInt(round(limit))
}

/** Whether the machine certainly has the value already, to the digits that the tag shows. */
export function isUnchanged(
  value: SetPointValue,
  live: { readonly value: telemetry.TagValue; readonly quality: string } | undefined,
  tag: Tag,
): boolean {
  if (!live || live.value === null || live.quality !== 'good') return false
  if (typeof value !== 'number' || tag.type !== 'float64') return String(value) === String(live.value)
  return value === Number(typedValue(live.value, tag))
}

/** A step of more than this share of a tag's range is confirmed first. */
const largeStepShare = 0.1

/** Whether a value is far from the machine's own, measured by the limits of the tag; false if it has none. */
export function isLargeStep(
  value: SetPointValue,
  live: { readonly value: telemetry.TagValue } | undefined,
  tag: Tag,
): boolean {
  const isNumber = (tag.type === 'float64' || tag.type === 'int64') && !tag.enum
  if (!isNumber || tag.min === null || tag.max === null || (live?.value ?? null) === null) return false
  const range = tag.max - tag.min
  // The hair of tolerance is for the arithmetic of decimals: 62.1 - 62.0 is not 0.1.
  return range > 0 && Math.abs(Number(value) - Number(live?.value)) > range * largeStepShare * (1 + 1e-9)
}

/** The value on the button, with every typed digit. */
export function writtenText(typed: string, value: SetPointValue, tag: Tag, bool: TagWords): string {
  const { text, unit } = formatTagValue(value, tag, bool)
  const isShortened = typeof value === 'number' && tag.type === 'float64' && tag.scale === null && !tag.enum
  return joinUnit(isShortened ? plain(typed).replace('-', '\u2212') : text, unit)
}

/** The choices of a tag whose values have names; values that the machine cannot have are left out. */
export function listChoices(tag: Tag): { readonly value: SetPointValue; readonly name: string }[] {
  return Object.entries(tag.enum ?? {}).map(([key, name]) => ({
    value: tag.type === 'string' || !Number.isSafeInteger(Number(key)) ? key : Number(key),
    name,
  }))
}
