import type { reports } from '@busbar/contract'
import { formatShortClock, wallOf } from '../../shared/i18n/index.ts'
import type { ReportsText } from './reports-text.ts'

interface Scheduled {
  readonly schedule: reports.ReportSchedule
  readonly nextAt: number | null
}

/**
 * When a report runs, on the clocks of its zone; where they differ from the reader's, with that zone's name and the
 * time here: "Daily at 07:00 UTC (15:00 here)".
 */
export function sayRepeats(
  t: ReportsText['schedule'],
  { schedule, nextAt }: Scheduled,
  zone: string,
): string {
  const words = t.words(schedule)
  if (schedule.timeZone === zone) return words
  const inZone = t.inZone(words, schedule.timeZone)
  if (nextAt === null) return inZone
  const clock = formatShortClock(nextAt)
  if (clock === `${String(schedule.hour).padStart(2, '0')}:00`) return inZone
  // A week's day may be another one here.
  const day = schedule.every === 'week' ? t.weekdays[(wallOf(nextAt).getUTCDay() + 6) % 7] : undefined
  return t.here(inZone, day ? `${day} ${clock}` : clock)
}
