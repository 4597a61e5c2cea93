import { limits, type telemetry } from '@busbar/contract'
import { formatNumber, joinUnit, type Text } from '../../i18n/index.ts'

type Tag = telemetry.Tag
export type SetPointValue = boolean | number | string

export type Parsed = { readonly value: SetPointValue } | { readonly problem: string }

type Words = Text['visits']['setPoint']

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)$/
const integer = /^[+-]?\d+$/

/**
 * What was typed as a value of the tag, or why it is none. A comma is refused: it would be a decimal point to one and
 * a thousand to another, on a machine that moves.
 */
export function parseSetPoint(typed: string, tag: Tag, words: Words): Parsed {
  if (tag.type === 'string') {
    const tooLong = new TextEncoder().encode(typed).length > limits.tagTextBytesMax
    return tooLong ? { problem: words.problems.tooLong } : { value: typed }
  }
  const text = typed.trim().replace('\u2212', '-')
  if (text === '') return { problem: words.problems.empty }
  if (!decimal.test(text)) return { problem: words.problems.number }
  if (tag.type === 'int64' && !integer.test(text)) return { problem: words.problems.integer }
  const value = Number(text)
  const isOutside = (tag.min !== null && value < tag.min) || (tag.max !== null && value > tag.max)
  if (isOutside) return { problem: words.outside(formatRange(tag, words)) }
  // Digits that do not fit a double travel as they were typed (decision 43).
  return { value: tag.type === 'int64' && !Number.isSafeInteger(value) ? text.replace(/^\+/, '') : value }
}

/** What a tag allows, in words; empty where it allows anything. */
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
  if (typeof value === 'number' && tag.scale !== null && tag.type === 'float64')
    return value.toFixed(Math.min(Math.max(tag.scale, 0), 10))
  return String(value)
}

/** What was typed, one step up or down: the last decimal place of the tag, within what it allows. */
export function stepSetPoint(typed: string, tag: Tag, direction: 1 | -1): string {
  const value = Number(typed.trim())
  if (typed.trim() === '' || !Number.isFinite(value)) return typed
  const places = tag.type === 'int64' ? 0 : Math.min(Math.max(tag.scale ?? 0, 0), 10)
  const next = value + direction * 10 ** -places
  return Math.min(Math.max(next, tag.min ?? next), tag.max ?? next).toFixed(places)
}

/** The choices of a tag whose values have names; a value the machine cannot have is none. */
export function listChoices(tag: Tag): { readonly value: SetPointValue; readonly name: string }[] {
  return Object.entries(tag.enum ?? {}).map(([key, name]) => ({
    value: tag.type === 'string' ? key : Number(key),
    name,
  }))
}
