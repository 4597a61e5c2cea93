import type { LocalClock } from './local-time.ts'

/** Numbers below these are seconds, milliseconds and microseconds since 1970; greater ones nanoseconds. */
const secondsMax = 1e11
const millisecondsMax = 1e14
const microsecondsMax = 1e17

const minuteMs = 60_000
const shownCharactersMax = 40
const numberPattern = /^\d{1,20}(?:\.\d{1,20})?$/
const timePattern =
  /^(\d{4})([-/])(\d{2})\2(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))? ?(?:(Z|z)|([+-])(\d{2}):?(\d{2})?)?$/

/**
 * The one reading of a machine's time, epoch milliseconds; NaN for anything else. A number counts seconds, milliseconds,
 * microseconds or nanoseconds, by its size, also as a text of digits. A text is ISO 8601 with its offset, or shows the
 * machine's wall clock; an hour that comes twice is the one closer to `near` (rules/wire.md: times).
 */
export function readTime(value: unknown, clock: LocalClock, near: number): number {
  if (typeof value === 'number') return instantOf(value)
  if (typeof value !== 'string') return Number.NaN
  const text = value.trim()
  if (numberPattern.test(text)) return instantOf(Number(text))
  return readText(text, clock, near)
}

/** A number of seconds, milliseconds, microseconds or nanoseconds since 1970 as whole milliseconds. */
export function instantOf(time: number): number {
  if (time >= secondsMax && time < millisecondsMax) return Math.floor(time)
  if (time < secondsMax) return Math.round(time * 1_000)
  return Math.floor(time / (time < microsecondsMax ? 1_000 : 1_000_000))
}

/** The note of a member that should be a time. */
export function noteNoTime(name: string, value: unknown): string {
  return `${name} ${JSON.stringify(value).slice(0, shownCharactersMax)} is no time: stored at arrival, uncertain`
}

function readText(text: string, clock: LocalClock, near: number): number {
  const parts = timePattern.exec(text)
  if (!parts) return Number.NaN
  const [year = 0, month = 0, day = 0] = [parts[1], parts[3], parts[4]].map(Number)
  const [hour = 0, minute = 0, second = 0] = parts.slice(5, 8).map(Number)
  const whole = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(whole)
  // 30 February and 25 o'clock roll over into another day.
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour
  if (!isReal || minute > 59 || second > 59) return Number.NaN
  const wall = whole + Number((parts[8] ?? '').slice(0, 3).padEnd(3, '0'))
  if (parts[9]) return wall
  if (!parts[10]) return clock.toEpoch(wall, near)
  const [hours, minutes] = [Number(parts[11]), Number(parts[12] ?? 0)]
  if (hours > 23 || minutes > 59) return Number.NaN
  return wall - (parts[10] === '-' ? -1 : 1) * (hours * 60 + minutes) * minuteMs
}
