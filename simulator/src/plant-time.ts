/** Hours the clocks of a plant in China are ahead of UTC. */
export const chinaOffsetHours = 8
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The clock on the plant's wall: weekday 0 Monday to 6 Sunday, hours since midnight with their fraction. */
export function plantClock(at: number, utcOffsetHours: number): { weekday: number; hour: number } {
  const local = at + utcOffsetHours * hourMs
  const day = Math.floor(local / dayMs)
  // The first of January 1970 was a Thursday.
  return { weekday: (((day + 3) % 7) + 7) % 7, hour: (local - day * dayMs) / hourMs }
}

/** Hours of work on some weekdays; `to` may be beyond 24, into the next day. */
export interface Shift {
  days: readonly number[]
  from: number
  to: number
}

const weekdays = [0, 1, 2, 3, 4, 5]

/** Monday's early shift to Sunday morning, without a break. */
export const threeShifts: readonly Shift[] = [{ days: weekdays, from: 7, to: 31 }]

/** Early and late shift, six days, with the two meals. */
export const twoShifts: readonly Shift[] = [
  { days: weekdays, from: 7, to: 11.5 },
  { days: weekdays, from: 12, to: 17.5 },
  { days: weekdays, from: 18, to: 23 },
]

/** Whether a shift works at `hour` of `weekday`. */
export function isShift(
  shifts: readonly Shift[],
  { weekday, hour }: { weekday: number; hour: number },
): boolean {
  const yesterday = (weekday + 6) % 7
  return shifts.some(
    ({ days, from, to }) =>
      (hour >= from && hour < to && days.includes(weekday)) || (hour < to - 24 && days.includes(yesterday)),
  )
}

/** Share of a week's hours that are worked. */
export function workedShare(shifts: readonly Shift[]): number {
  return shifts.reduce((hours, { days, from, to }) => hours + days.length * (to - from), 0) / (7 * 24)
}

/** From -1 in the coldest hour before dawn to 1 in the warmest of the afternoon. */
export function warmth(hour: number): number {
  return Math.cos(((hour - 15) / 24) * 2 * Math.PI)
}

/** The variation between days: from -1 to 1, slowly, the same for every machine. */
export function weather(at: number): number {
  const days = at / dayMs
  return 0.6 * Math.sin(days * 1.07) + 0.4 * Math.sin(days * 0.41 + 1.3)
}
