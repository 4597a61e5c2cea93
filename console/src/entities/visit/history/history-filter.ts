import { fromWallField, startOfDay, toWallField } from '../../../shared/i18n/zone.ts'

/** The stretch of time a history of visits shows: the latest days, or from one day to another. */
export const historySpans = ['week', 'month', 'year', 'custom'] as const
export type HistorySpan = (typeof historySpans)[number]

/** The filter of a history of visits. Days are values of a date field, in the zone of the screen. */
export interface HistoryFilter {
  readonly span: HistorySpan
  readonly fromDay: string
  readonly toDay: string
  readonly who: string
}

export const usualFilter: HistoryFilter = { span: 'month', fromDay: '', toDay: '', who: '' }

const spanDays = { week: 7, month: 30, year: 365 } as const

/**
 * The time a filter means, epoch milliseconds. The latest days begin with a whole day, so that the answer
 * stays the same while the page is open; a day not chosen leaves its side open.
 */
export function periodOf(
  { span, fromDay, toDay }: HistoryFilter,
  now: number,
): { from?: number; to?: number } {
  if (span !== 'custom') return { from: startOfDay(now, 1 - spanDays[span]) }
  const [from, to] = [parseDay(fromDay), parseDay(toDay)]
  return {
    ...(from === undefined ? {} : { from }),
    // The last day counts with all its hours.
    ...(to === undefined ? {} : { to: startOfDay(to, 1) }),
  }
}

/** The same for a report, which needs both ends. */
export function reportPeriodOf(filter: HistoryFilter, now: number): { from: number; to: number } {
  const { from, to = Math.ceil(now / 60_000) * 60_000 } = periodOf(filter, now)
  return { from: from ?? startOfDay(to, -spanDays.year), to }
}

/** An instant's day as a field of dates wants it, in the zone of the screen. */
export function formatDayField(at: number): string {
  return toWallField(at).slice(0, 10)
}

function parseDay(day: string): number | undefined {
  const at = fromWallField(day)
  return Number.isNaN(at) ? undefined : at
}
