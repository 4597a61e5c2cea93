import type { SimCycle } from '@busbar/contract'

/** A month of a plan: days as `2026-11-30`. It is named after the calendar month in which it ends. */
export interface PlanMonth {
  readonly month: string
  readonly from: string
  readonly to: string
}

/** A month that begins on the 27th ends on the 26th. */
const firstDay = 27
const dayMs = 86_400_000
/** Carriers of China count days by the clock of Beijing, which has no summer time. */
const zoneMs = 8 * 3_600_000

/** The day of an instant, as carriers count. */
export const dayOf = (at: number): string => new Date(at + zoneMs).toISOString().slice(0, 10)

/** The day that is so many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** The month of a plan to which a day belongs. */
export function planMonthOf(day: string, cycle: SimCycle): PlanMonth {
  const date = new Date(day)
  const year = date.getUTCFullYear()
  const later = cycle === 'day27' && date.getUTCDate() >= firstDay ? 1 : 0
  const month = date.getUTCMonth() + later
  const [from, to] =
    cycle === 'calendar'
      ? [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 0)]
      : [Date.UTC(year, month - 1, firstDay), Date.UTC(year, month, firstDay - 1)]
  const text = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { month: text(to).slice(0, 7), from: text(from), to: text(to) }
}

export interface DayBytes {
  readonly day: string
  readonly bytes: number
}

/** The traffic of each month of a plan, the latest first. */
export function sumMonths(days: readonly DayBytes[], cycle: SimCycle): { month: string; bytes: number }[] {
  const months = new Map<string, number>()
  for (const { day, bytes } of days) {
    const { month } = planMonthOf(day, cycle)
    months.set(month, (months.get(month) ?? 0) + bytes)
  }
  return [...months].map(([month, bytes]) => ({ month, bytes })).sort((a, b) => (a.month < b.month ? 1 : -1))
}

/** The traffic within a month of a plan. */
export const sumWithin = (days: readonly DayBytes[], { from, to }: Pick<PlanMonth, 'from' | 'to'>): number =>
  days.reduce((sum, { day, bytes }) => (day >= from && day <= to ? sum + bytes : sum), 0)
