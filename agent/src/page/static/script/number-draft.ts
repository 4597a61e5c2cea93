import type { TagView } from '../../page-api.ts'
import { formatRange } from './format.ts'
import { texts } from './texts.ts'

/** The value a person is about to write: as typed, and parsed if it is valid. */
export interface Draft {
  text: string
  value: boolean | number | string | null
  /** Why it cannot be written, in words; empty if it can. */
  problem: string
}

/** Checks a typed number. A comma counts as a point. */
export function parseDraft(tag: TagView, text: string): Draft {
  const t = texts()
  const typed = text.trim().replace(',', '.')
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(typed)) return { text, value: null, problem: t.notNumber }
  if (tag.whole && typed.includes('.')) return { text, value: null, problem: t.notWhole }
  const number = Number(typed)
  const isOutside = (tag.min !== null && number < tag.min) || (tag.max !== null && number > tag.max)
  if (isOutside) return { text, value: null, problem: t.outside(formatRange(tag)) }
  return { text, value: tag.wide ? BigInt(typed).toString() : number, problem: '' }
}

/** A value moved by a number of steps, within the limits and on the grid of the step. */
export function stepValue(tag: TagView, value: number | string, steps: number): string {
  if (typeof value === 'string') return String(BigInt(value) + BigInt(steps))
  const { step, min, max } = tag
  let moved = Math.round((value + steps * step) / step) * step
  if (min !== null) moved = Math.max(min, moved)
  if (max !== null) moved = Math.min(max, moved)
  return draftText(tag, moved)
}

/** A number as one would type it: without grouping, with as many decimals as the tag shows. */
export function draftText(tag: TagView, value: number | string): string {
  if (typeof value === 'string') return value
  if (tag.scale !== null) return value.toFixed(tag.scale)
  return String(Number(value.toPrecision(7)))
}
