import { access, limits } from '@busbar/contract'
import { fromWallField, toWallField } from '../../shared/i18n/zone.ts'

/** The choices of a visit time: a span from now, no end, or a custom instant. */
export const timePresets = ['10m', '1h', '8h', '1d', '1w', 'forever', 'custom'] as const
export type TimePreset = (typeof timePresets)[number]

const presetMinutes: Partial<Record<TimePreset, number>> = {
  '10m': 10,
  '1h': 60,
  '8h': 480,
  '1d': 1_440,
  '1w': 10_080,
}

const { forever } = access.visitTimes
const minuteMs = 60_000
/** Added to a span, which must still be 10 minutes when the platform reads it; a visit is that much longer. */
const travelMs = 15_000

/** The choice made in the form. `customAt` is the value of a date and time field, in the zone of the screen. */
export interface TimeChoice {
  readonly preset: TimePreset
  readonly customAt: string
}

export type TimeProblem = 'timeMissing' | 'timeTooSoon' | 'timeTooFar'

/** Why a choice cannot be sent; undefined when it can. `now` in epoch milliseconds. */
export function findTimeProblem(choice: TimeChoice, now: number): TimeProblem | undefined {
  if (choice.preset !== 'custom') return undefined
  const at = parseLocalTime(choice.customAt)
  if (at === undefined) return 'timeMissing'
  if (at < now + limits.visitMinutesMin * minuteMs) return 'timeTooSoon'
  return at > now + limits.visitMinutesMax * minuteMs ? 'timeTooFar' : undefined
}

/** The choice as minutes from now; -1 without end. */
export function toMinutes(choice: TimeChoice, now: number): number {
  const minutes = presetMinutes[choice.preset]
  if (minutes !== undefined) return minutes
  const end = toEnd(choice, now)
  return end === forever ? forever : Math.max(limits.visitMinutesMin, Math.round((end - now) / minuteMs))
}

/** The choice as the instant it ends at, epoch milliseconds; -1 without end. */
export function toEnd(choice: TimeChoice, now: number): number {
  const minutes = presetMinutes[choice.preset]
  if (minutes !== undefined) return now + minutes * minuteMs + travelMs
  return choice.preset === 'custom' ? (parseLocalTime(choice.customAt) ?? forever) : forever
}

/** An instant as a field of date and time wants it, to the minute, in the zone of the screen. */
export function formatLocalTime(at: number): string {
  return toWallField(at).slice(0, 16)
}

function parseLocalTime(text: string): number | undefined {
  const at = fromWallField(text)
  return Number.isNaN(at) ? undefined : at
}

/** Whether a visit time is over: the wire sends 0 for it, and an end may pass while the page is open. */
export function isOver(visitTime: number, now: number): boolean {
  return visitTime !== forever && visitTime <= now
}

/** Whether a former visit time can be restored: it needs at least 10 more minutes. */
export function canRestore(visitTime: number, now: number): boolean {
  return visitTime === forever || visitTime >= now + limits.visitMinutesMin * minuteMs + travelMs
}

/** Below this the remaining time counts down by the second. */
export const nearMs = 10 * minuteMs

const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The remaining visit time, in the largest units that are still exact enough. */
export type TimeLeft =
  | { readonly kind: 'forever' | 'over' }
  | { readonly kind: 'seconds'; readonly minutes: number; readonly seconds: number }
  | { readonly kind: 'minutes'; readonly minutes: number }
  | { readonly kind: 'hours'; readonly hours: number; readonly minutes: number }
  | { readonly kind: 'days'; readonly days: number }

export function timeLeft(visitTime: number, now: number): TimeLeft {
  if (visitTime === forever) return { kind: 'forever' }
  const left = visitTime - now
  if (left <= 0) return { kind: 'over' }
  if (left < nearMs) {
    const seconds = Math.ceil(left / 1_000)
    return { kind: 'seconds', minutes: Math.floor(seconds / 60), seconds: seconds % 60 }
  }
  const minutes = Math.floor(left / minuteMs)
  if (left < hourMs) return { kind: 'minutes', minutes }
  if (left < 2 * dayMs) return { kind: 'hours', hours: Math.floor(minutes / 60), minutes: minutes % 60 }
  return { kind: 'days', days: Math.floor(left / dayMs) }
}
