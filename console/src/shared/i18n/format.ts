import type { Lang } from '@busbar/contract'
import { cached } from './format-number.ts'
import { getText } from './language.ts'

export {
  emptyMark,
  formatBadge,
  formatNumber,
  formatPercent,
  joinUnit,
  narrowSpace,
} from './format-number.ts'

const date = {
  cn: { year: 'numeric', month: '2-digit', day: '2-digit' },
  // A month by name: 03/04 is two days in two English-speaking countries.
  en: { year: 'numeric', month: 'short', day: '2-digit' },
} as const satisfies Record<Lang, Intl.DateTimeFormatOptions>

function timeFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return cached(
    (locale, _, timeZone) => new Intl.DateTimeFormat(locale, { hourCycle: 'h23', timeZone, ...options }),
  )
}

function dateFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return cached(
    (locale, lang, timeZone) =>
      new Intl.DateTimeFormat(locale, { hourCycle: 'h23', timeZone, ...date[lang], ...options }),
  )
}

const exact = dateFormat({
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const minute = dateFormat({
  hour: '2-digit',
  minute: '2-digit',
})
const clock = timeFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const shortClock = timeFormat({ hour: '2-digit', minute: '2-digit' })
const day = cached(
  (locale, lang, timeZone) =>
    new Intl.DateTimeFormat(locale, { month: date[lang].month, day: date[lang].day, timeZone }),
)
const fullDay = cached(
  (locale, lang, timeZone) => new Intl.DateTimeFormat(locale, { ...date[lang], timeZone }),
)

/** Date and time to the second, for hovering and for tables people compare. */
export function formatExact(at: number): string {
  return exact().format(at)
}

/** Date and time to the minute. */
export function formatMinute(at: number): string {
  return minute().format(at)
}

/** Hours, minutes and seconds. */
export function formatClock(at: number): string {
  return clock().format(at)
}

/** Hours and minutes. */
export function formatShortClock(at: number): string {
  return shortClock().format(at)
}

/** Year, month and day. */
export function formatDate(at: number): string {
  return fullDay().format(at)
}

/** Month and day. */
export function formatDay(at: number): string {
  return day().format(at)
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Younger than this counts as now: it hides the seconds by which two clocks differ. */
const justNowMs = 45 * secondMs

/** "1 min ago"; `null` gives the mark for an empty value. */
export function formatRelative(at: number | null, now: number): string {
  const { time } = getText()
  if (at === null) return time.never
  const age = now - at
  if (age < justNowMs) return time.justNow
  if (age < hourMs) return time.minutesAgo(Math.max(1, Math.round(age / minuteMs)))
  if (age < dayMs) return time.hoursAgo(Math.max(1, Math.floor(age / hourMs)))
  return time.daysAgo(Math.floor(age / dayMs))
}

/** The age of a live value, to the second while it is young. */
export function formatAge(at: number | null, now: number): string {
  const { time } = getText()
  if (at === null) return time.never
  const age = Math.max(0, now - at)
  if (age < 2 * secondMs) return time.justNow
  if (age < minuteMs) return time.secondsAgo(Math.floor(age / secondMs))
  return formatRelative(at, now)
}

/** Whole days until an instant. */
export function formatDaysUntil(at: number, now: number): string {
  return getText().time.inDays(Math.max(0, Math.round((at - now) / dayMs)))
}
