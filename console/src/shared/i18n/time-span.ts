import { formatClock, formatDate, formatDay, formatShortClock } from './format.ts'
import { getText } from './language.ts'
import type { Text } from './text.ts'
import { isSameDay, wallOf } from './zone.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Shorter spans are told to the second. */
const secondsBelowMs = 10 * minuteMs
/** "24 h" and "36 h" are clearer than "1 d" and "1 d 12 h". */
const daysFromMs = 2 * dayMs

const yearOf = (at: number) => wallOf(at).getUTCFullYear()

interface TimeSpanLike {
  readonly from: number
  readonly to: number
}

/** From when to when, as short as it stays clear. */
export const formatTimeSpan = (span: TimeSpanLike): string => partsOfTimeSpan(span).join(' ')

/**
 * The parts of a span between which a line may break: the year if it is another one, or where it is asked for, a day
 * once, the seconds at close range.
 */
export function partsOfTimeSpan({ from, to }: TimeSpanLike, hasYear = false): [from: string, to: string] {
  const clock = Math.abs(to - from) < secondsBelowMs ? formatClock : formatShortClock
  const thisYear = yearOf(Date.now())
  const isOfNow = yearOf(from) === thisYear && yearOf(to) === thisYear
  const day = isOfNow && !hasYear ? formatDay : formatDate
  const long = (at: number) => `${day(at)} ${clock(at)}`
  return [`${long(from)} –`, isSameDay(from, to) ? clock(to) : long(to)]
}

/** A duration in its two largest units: "7 h 5 min", "24 h", "3 d 4 h". */
export function formatLasts(lengthMs: number, t: Text['alarms']['lasts'] = getText().alarms.lasts): string {
  const ms = Math.max(0, lengthMs)
  if (ms < minuteMs) return t.seconds(Math.floor(ms / secondMs))
  if (ms < hourMs) return t.minutes(Math.floor(ms / minuteMs))
  if (ms < daysFromMs) return t.hours(Math.floor(ms / hourMs), Math.floor((ms % hourMs) / minuteMs))
  return t.days(Math.floor(ms / dayMs), Math.floor((ms % dayMs) / hourMs))
}
