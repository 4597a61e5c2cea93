const dayMs = 86_400_000
/** China has one zone, and no summer time. */
const offsetMs = 8 * 3_600_000

/** Days of China as numbers that follow each other. */
export const chinaDayOf = (at: number): number => Math.floor((at + offsetMs) / dayMs)

/** Epoch milliseconds. */
export const beginOfChinaDay = (day: number): number => day * dayMs - offsetMs

/** `2026-11-30` */
export const formatChinaDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** The first day of the month that a day is in, or of one that many months later. */
export function monthOfChinaDay(day: number, monthsLater = 0): number {
  const date = new Date(day * dayMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater) / dayMs
}
