import type { alarmRules } from '@busbar/contract'
import { ZoneClock } from '../../kernel/files/zone-clock.ts'

const minuteMs = 60_000
/** The clocks of zones change at whole quarters of an hour. */
const quarterMs = 15 * minuteMs
const dayMs = 1_440 * minuteMs

/** Whether an instant is within the hours, and until when this answer holds. */
export interface HoursSpan {
  readonly from: number
  readonly until: number
  readonly isInside: boolean
}

/**
 * Answers for any instant whether a rule holds then; asked often, it remembers the span it found last (rules/alarms.md:
 * rules).
 */
export function createActiveHours(hours: alarmRules.ActiveHours, zone: string): (at: number) => HoursSpan {
  const clock = new ZoneClock(zone)
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)]
  const days = new Set(hours.days)
  /** `day` is 1 to 7; the hours of the day before may reach into it. */
  const holds = (day: number, minute: number) => {
    if (from < to) return days.has(day) && minute >= from && minute < to
    return (days.has(day) && minute >= from) || (days.has(day === 1 ? 7 : day - 1) && minute < to)
  }
  let span: HoursSpan = { from: 0, until: 0, isInside: false }
  return (at) => {
    if (at >= span.from && at < span.until) return span
    const quarterAt = Math.floor(at / quarterMs) * quarterMs
    const wall = clock.wall(quarterAt)
    // 1970-01-01 was a Thursday.
    const day = ((Math.floor(wall / dayMs) + 3) % 7) + 1
    const firstMinute = Math.floor((wall % dayMs) / minuteMs)
    const passed = Math.floor((at - quarterAt) / minuteMs)
    const isInside = holds(day, firstMinute + passed)
    let next = passed + 1
    while (next < quarterMs / minuteMs && holds(day, firstMinute + next) === isInside) next++
    span = { from: quarterAt + passed * minuteMs, until: quarterAt + next * minuteMs, isInside }
    return span
  }
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
