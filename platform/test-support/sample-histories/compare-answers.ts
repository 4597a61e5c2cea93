import type { telemetry as contract } from '@busbar/contract'
import type { About, ExpectedSeries } from './sample-answers.ts'

type Given = Pick<contract.HistorySeries, 'kind' | 'intervalMs' | 'points' | 'cutAt' | 'before' | 'after'>

/** The first difference between a series and the model's; undefined without one. */
export function differenceOf(given: Given, expected: ExpectedSeries): string | undefined {
  for (const field of ['kind', 'intervalMs', 'cutAt'] as const)
    if (given[field] !== expected[field]) return `${field} is ${given[field]}, not ${expected[field]}`
  for (let place = 0; place < Math.max(given.points.length, expected.points.length); place++)
    if (!isPoint(given.points[place], expected.points[place]))
      return `point ${place} of ${given.points.length} is ${show(given.points[place])}, not ${show(expected.points[place])} of ${expected.points.length}`
  if (!isPoint(given.after, expected.after))
    return `after is ${show(given.after)}, not ${show(expected.after)}`
  if (!expected.before.some((before) => isPoint(given.before, before)))
    return `before is ${show(given.before)}, not ${expected.before.map(show).join(' or ')}`
  return undefined
}

/** Whether a value, or each of a list, is the expected one or close enough to it. */
export function isSame(given: unknown, expected: unknown): boolean {
  if (!isAbout(expected)) return given === expected
  return typeof given === 'number' && Math.abs(given - expected.about) <= expected.within
}

/** Whether two values are equal, with numbers that may differ by rounding; additional fields do not count. */
export function isLike(given: unknown, expected: unknown): boolean {
  if (isAbout(expected) || typeof expected !== 'object' || expected === null) return isSame(given, expected)
  if (typeof given !== 'object' || given === null) return false
  if (Array.isArray(expected) && (given as unknown[]).length !== expected.length) return false
  return Object.entries(expected).every(([name, field]) =>
    isLike((given as Record<string, unknown>)[name], field),
  )
}

function isPoint(
  given: readonly unknown[] | null | undefined,
  expected: readonly unknown[] | null | undefined,
): boolean {
  if (!given || !expected) return given === expected
  return given.length === expected.length && expected.every((field, place) => isSame(given[place], field))
}

function isAbout(value: unknown): value is About {
  return typeof value === 'object' && value !== null && 'about' in value
}

export const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 900 ? `${text.slice(0, 900)}…` : text
}
