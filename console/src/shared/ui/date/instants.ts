import {
  type CalendarDate,
  fromAbsolute,
  parseDate,
  toCalendarDateTime,
  toZoned,
  type ZonedDateTime,
} from '@internationalized/date'
import type { DateValue } from 'react-aria-components/DatePicker'

/** Precision of the chosen moment. */
export type Granularity = 'minute' | 'second'

/** A moment on the clocks of a zone, cut to its minute or second. */
export function toZonedTime(at: number, zone: string, granularity: Granularity): ZonedDateTime {
  const time = fromAbsolute(at, zone).set({ millisecond: 0 })
  return granularity === 'minute' ? time.set({ second: 0 }) : time
}

/** The instant of the displayed time; for a time that the zone skips, the one after it. */
export function toInstant(value: DateValue, zone: string): number {
  if ('timeZone' in value) return value.toDate().getTime()
  return toZoned(toCalendarDateTime(value), zone).toDate().getTime()
}

/** A day as it is kept in an address or a filter, such as `2026-11-22`. */
export function toDay(day: string): CalendarDate | null {
  try {
    return parseDate(day)
  } catch {
    return null
  }
}

/** The beginning of the day that an instant has in a zone, or of the day so many days later. */
export function startOfZoneDay(at: number, zone: string, daysLater = 0): number {
  return fromAbsolute(at, zone)
    .add({ days: daysLater })
    .set({ hour: 0, minute: 0, second: 0, millisecond: 0 })
    .toDate()
    .getTime()
}

/** The offset of a zone from UTC at an instant, such as `UTC+8`. */
export function nameOffset(at: number, zone: string): string {
  const minutes = Math.round(fromAbsolute(at, zone).offset / 60_000)
  const size = Math.abs(minutes)
  const rest = size % 60
  const tail = rest ? `:${String(rest).padStart(2, '0')}` : ''
  return `UTC${minutes < 0 ? '\u2212' : '+'}${Math.floor(size / 60)}${tail}`
}

/** English dates are written year first here: 03/04 is two days in two English-speaking countries. */
export const dateLocales = { cn: 'zh-CN', en: 'en-CA' } as const
