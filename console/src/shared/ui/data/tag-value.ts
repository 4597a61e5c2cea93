import type { telemetry } from '@busbar/contract'
import { emptyMark, formatNumber } from '../../i18n/index.ts'

/**
 * The facts about a tag that are known where its value is shown; a list row knows less than the tag's own
 * page.
 */
export interface TagShape {
  readonly type?: telemetry.TagType | undefined
  readonly unit: string
  readonly scale: number | null
  readonly enum?: Readonly<Record<string, string>> | undefined
}

export interface TagWords {
  readonly on: string
  readonly off: string
}

/** A value as a person reads it. `unit` is empty if a word replaced the number. */
export interface TagText {
  readonly text: string
  readonly unit: string
}

/** Digits of an int64 that does not fit a double, grouped like every other number. */
function formatDigits(digits: string): string {
  const sign = digits.startsWith('-') ? '\u2212' : ''
  return sign + digits.replace(/^-/, '').replace(/\B(?=(\d{3})+$)/g, ',')
}

const isDigits = /^-?\d+$/

/** Puts a value into words and numbers; an empty value becomes its mark. */
export function formatTagValue(
  value: telemetry.TagValue | undefined,
  tag: TagShape,
  words: TagWords,
): TagText {
  if (value === null || value === undefined) return { text: emptyMark, unit: '' }
  const named = enumWord(value, tag.enum)
  if (named !== undefined) return { text: named, unit: '' }
  if (typeof value === 'boolean') return { text: value ? words.on : words.off, unit: '' }
  if (typeof value === 'number') return { text: formatNumber(value, tag.scale), unit: tag.unit }
  if (tag.type === 'int64' && isDigits.test(value)) return { text: formatDigits(value), unit: tag.unit }
  return { text: value === '' ? emptyMark : value, unit: tag.unit }
}

/** A bool's enum may be keyed by its word or by its number. */
function enumWord(value: telemetry.TagValue, names: TagShape['enum']): string | undefined {
  if (!names) return undefined
  const word = names[String(value)]
  if (word !== undefined || typeof value !== 'boolean') return word
  return names[value ? '1' : '0']
}

/** A value as a number that a curve can show; null if it is not a number. */
export function chartNumber(value: telemetry.TagValue | undefined): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && isDigits.test(value)) return Number(value)
  return null
}
