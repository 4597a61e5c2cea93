import { limits } from '@busbar/contract'

/** The kinds of stored values, the finest first. */
export const keptKinds = ['rawDays', 'minuteDays', 'hourDays'] as const
export type KeptKind = (typeof keptKinds)[number]
export type KeptDays = Readonly<Record<KeptKind, number>>

export const daysMin = limits.retentionDaysMin
export const daysMax: KeptDays = {
  rawDays: limits.retentionRawDaysMax,
  minuteDays: limits.retentionMinuteDaysMax,
  hourDays: limits.retentionHourDaysMax,
}

export const mapKinds = <Value>(read: (kind: KeptKind) => Value) =>
  ({
    rawDays: read('rawDays'),
    minuteDays: read('minuteDays'),
    hourDays: read('hourDays'),
  }) satisfies Record<KeptKind, Value>

const monthDays = 30
const yearDays = 365
/** The usual axis. It reaches further back only if values are kept for longer. */
const axisDays = 5 * yearDays
/** Up to here a day has about the same width; from here on a doubled time takes the same room. */
const evenDays = 7

/** The times that the axis labels, if they are not too close to its end. */
const ticks = [monthDays, 3 * monthDays, yearDays, 5 * yearDays, 10 * yearDays] as const
export type Tick = (typeof ticks)[number]

/** The axis from now back in time, on which a week and five years can both be seen. */
export function createAxis(longestDays: number) {
  const end = longestDays > axisDays ? 2 * axisDays : axisDays
  /** The position of a number of days ago, in percent of the axis. */
  const place = (days: number) =>
    (100 * Math.log1p(Math.min(days, end) / evenDays)) / Math.log1p(end / evenDays)
  const shown = ticks.filter((days) => days === end || (days < end && place(days) < 85))
  return { place, ticks: shown.map((days) => ({ days, place: place(days) })) }
}

/** A tick in whole months or years. */
export const spanOfTick = (days: Tick): { months: number } | { years: number } =>
  days < yearDays ? { months: days / monthDays } : { years: days / yearDays }
