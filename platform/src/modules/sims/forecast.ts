import { addDays, type DayBytes, type PlanMonth } from './plan-month.ts'

/** The day on which a month's volume is used up. `latest` null: at a lower rate it lasts to the end of the month. */
export interface Forecast {
  readonly at: string
  readonly earliest: string
  readonly latest: string | null
}

/** The rate is that of the last four weeks, of which at least so many days are known. */
const rateDays = 28
const knownDaysMin = 3
/** Of ten ends, eight are between the earliest and the latest day, where days are alike and independent. */
const spread = 1.28

/**
 * The day on which `leftBytes` are used up, counted from the end of the last known day; null where they last to the end
 * of the month, or where too little is known. Bytes of n days have n times the mean and √n times the deviation of one.
 */
export function forecastEnd(
  days: readonly DayBytes[],
  leftBytes: number,
  { to }: Pick<PlanMonth, 'to'>,
): Forecast | null {
  const known = [...days].sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-rateDays)
  const last = known.at(-1)?.day
  if (last === undefined || known.length < knownDaysMin) return null
  if (leftBytes <= 0) return { at: last, earliest: last, latest: last }
  const mean = known.reduce((sum, { bytes }) => sum + bytes, 0) / known.length
  if (mean <= 0) return null
  const variance = known.reduce((sum, { bytes }) => sum + (bytes - mean) ** 2, 0) / (known.length - 1)
  const half = (spread * Math.sqrt(variance)) / (2 * mean)
  const root = Math.sqrt(half ** 2 + leftBytes / mean)
  // A hair more than a whole day is one; and there is no date in the year 300,000.
  const dayAfter = (count: number) => addDays(last, Math.min(Math.ceil(count - 1e-6), 100))
  const at = dayAfter(leftBytes / mean)
  if (at > to) return null
  const latest = dayAfter((root + half) ** 2)
  return { at, earliest: dayAfter((root - half) ** 2), latest: latest > to ? null : latest }
}
