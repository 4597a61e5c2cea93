import { ZoneClock } from '../../kernel/files/zone-clock.ts'

/** When a report is made, on the clocks of a zone. */
export interface Schedule {
  readonly every: 'day' | 'week' | 'month'
  /** 1 is Monday, 7 Sunday; of a weekly report. */
  readonly weekday: number
  /** 1 to 28, or 0 for the last day; of a monthly report. */
  readonly monthDay: number
  /** 0 to 23. */
  readonly hour: number
  /** By IANA. */
  readonly timeZone: string
}

/** A stretch of time, epoch milliseconds, `to` excluded. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** A time at which a report is due, and the whole days it is about. */
export interface Due extends Period {
  readonly at: number
}

const dayMs = 86_400_000
const hourMs = 3_600_000
/** The largest offset of a zone from UTC, and the largest change of clocks. */
const offsetMsMax = 14 * hourMs

/**
 * The instant at which the clocks of a zone first show a time. For a time in the hour that is skipped in spring it is
 * the instant of the jump, so that a day has exactly one of each time (rules/data-centre.md: time of a
 * report).
 */
function instantOf(clock: ZoneClock, wall: number): number {
  let [low, high] = [wall - offsetMsMax, wall + offsetMsMax]
  // The offsets around it; of a time that comes twice the larger one is the earlier instant.
  const offsets = new Set([clock.wall(low) - low, clock.wall(high) - high, clock.wall(wall) - wall])
  for (const near of [-dayMs, dayMs]) offsets.add(clock.wall(wall + near) - (wall + near))
  const exact = [...offsets].map((offset) => wall - offset).filter((at) => clock.wall(at) === wall)
  if (exact.length > 0) return Math.min(...exact)
  // The time is skipped: the jump itself, found by halving.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (clock.wall(middle) >= wall) high = middle
    else low = middle
  }
  return high
}

/** The day of the schedule nearest to a day, not after it; both are midnights on the wall. */
function dayBefore(schedule: Schedule, day: number): number {
  if (schedule.every === 'day') return day
  if (schedule.every === 'week') {
    // 1970-01-01 was a Thursday.
    const weekday = ((day / dayMs + 3) % 7) + 1
    return day - ((weekday - schedule.weekday + 7) % 7) * dayMs
  }
  const date = new Date(day)
  const inMonth = (month: number) =>
    schedule.monthDay === 0
      ? Date.UTC(date.getUTCFullYear(), month + 1, 0)
      : Date.UTC(date.getUTCFullYear(), month, schedule.monthDay)
  const own = inMonth(date.getUTCMonth())
  return own <= day ? own : inMonth(date.getUTCMonth() - 1)
}

/** The latest time that a report was due, at an instant or before it. */
export function lastDue(schedule: Schedule, at: number): Due {
  const clock = new ZoneClock(schedule.timeZone)
  const today = Math.floor(clock.wall(at) / dayMs) * dayMs
  let day = dayBefore(schedule, today)
  while (dueAt(clock, schedule, day) > at) day = dayBefore(schedule, day - dayMs)
  const before = dayBefore(schedule, day - dayMs)
  return { at: dueAt(clock, schedule, day), from: instantOf(clock, before), to: instantOf(clock, day) }
}

/** The first time after an instant that a report is due. */
export function nextDue(schedule: Schedule, after: number): Due {
  // A step of a month and a day reaches the next one of every kind.
  const steps = { day: 2, week: 8, month: 32 }[schedule.every]
  let due = lastDue(schedule, after)
  for (let days = 1; days <= steps && due.at <= after; days++) due = lastDue(schedule, after + days * dayMs)
  return due
}

const dueAt = (clock: ZoneClock, { hour }: Schedule, day: number): number =>
  instantOf(clock, day + hour * hourMs)
