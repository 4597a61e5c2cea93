import { describeOffset, formatExact, formatNumber, getZone, type Text } from '../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../shared/i18n/time-span.ts'
import type { Gap } from '../../shared/ui/data/trend-gaps.ts'
import { type Preset, presetOf, type Span } from './history-span.ts'

type Words = Text['history']

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A length of time in its largest unit: `1 h`, `2.5 d`. */
export function formatLength(ms: number, words: Words): string {
  const size = Math.abs(ms)
  for (const [unit, unitMs] of units) {
    if (size >= unitMs) return words.duration[unit](formatNumber(Math.round((size / unitMs) * 10) / 10))
  }
  return words.duration.ms(formatNumber(Math.round(size)))
}

/** A span one press away, as short as a button needs it. */
export function presetText(name: Preset, { duration }: Words): string {
  const units = { m: duration.min, h: duration.h, d: duration.d }
  return units[name.slice(-1) as keyof typeof units](name.slice(0, -1))
}

/** A span in words: by its name, by its length, or from when to when. */
export function describeSpan(span: Span, words: Words): string {
  const preset = presetOf(span)
  if (preset) return words.presetNames[preset]
  return span.kind === 'live' ? words.last(formatLength(span.lengthMs, words)) : formatTimeSpan(span)
}

/** A moment to the millisecond, for comparison with other records. */
export function formatMoment(at: number): string {
  const ms = String(Math.floor(at) % 1_000).padStart(3, '0')
  return `${formatExact(at)}.${ms}`
}

/** The zone of every time on screen, by name and offset. */
export function describeZone(at: number, words: Words): string {
  return words.zone(getZone(), describeOffset(at))
}

/** The reason of a gap. */
export function describeGap(gap: Gap, words: Words): string {
  return gap.lost === undefined ? words.gaps.offline : words.gaps.lost(formatNumber(gap.lost))
}

/** The time under the cursor: that of a sample to the millisecond. */
export function formatCursor(at: number, isExact: boolean): string {
  return isExact ? formatMoment(at) : formatExact(at)
}
