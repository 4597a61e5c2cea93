import { createStore, useStore } from '../api/store.ts'

/** The zone of this browser, by IANA. */
export const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

const zone = createStore(browserZone)

/** The zone of every time on screen: the account's where it has one, otherwise the browser's. */
export function getZone(): string {
  return zone.get()
}

/** The same; the component renders again when the zone changes. */
export function useZone(): string {
  return useStore(zone)
}

/** Runs after the zone changed. */
export const onZoneChanged = zone.subscribe

/** Sets the zone of the times on screen; the browser's zone for none or one that this browser does not know. */
export function setZone(wished: string | null | undefined): void {
  const next = wished && isKnown(wished) ? wished : browserZone
  if (next !== zone.get()) zone.set(next)
}

function isKnown(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Clocks change at whole quarters of an hour. */
const quarterMs = 15 * 60_000
const formats = new Map<string, Intl.DateTimeFormat>()
let last = { zone: '', quarter: Number.NaN, offsetMs: 0 }

/** The zone's offset from UTC at an instant, in milliseconds. */
export function offsetAt(at: number): number {
  const name = zone.get()
  const quarter = Math.floor(at / quarterMs)
  if (last.quarter !== quarter || last.zone !== name)
    last = { zone: name, quarter, offsetMs: findOffset(quarter * quarterMs, name) }
  return last.offsetMs
}

function findOffset(at: number, name: string): number {
  let format = formats.get(name)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(name, format)
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - at
}

/** The zone's clocks and calendar at an instant, to be read by the UTC methods. */
export function wallOf(at: number): Date {
  return new Date(at + offsetAt(at))
}

/**
 * The instant at which the zone's clocks show this, given as if they showed UTC; for a skipped time, the one
 * after it.
 */
export function instantOf(wall: number): number {
  const early = wall - offsetAt(wall - 86_400_000)
  if (early + offsetAt(early) === wall) return early
  const late = wall - offsetAt(wall + 86_400_000)
  return late + offsetAt(late) === wall ? late : early
}

/** The beginning of an instant's day in the zone, or of one so many days later. */
export function startOfDay(at: number, daysLater = 0): number {
  const wall = wallOf(at)
  return instantOf(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() + daysLater))
}

/** Whether two instants are of one day in the zone. */
export function isSameDay(a: number, b: number): boolean {
  return startOfDay(a) === startOfDay(b)
}

/** An instant as a field of date and time has it, to the second. */
export function toWallField(at: number): string {
  return wallOf(at).toISOString().slice(0, 19)
}

/** The instant of such a field, or of a field of dates; NaN where it is not filled in. */
export function fromWallField(text: string): number {
  const wall = Date.parse(text.includes('T') ? `${text}Z` : `${text}T00:00Z`)
  return Number.isNaN(wall) ? Number.NaN : instantOf(wall)
}

/** The zone's distance from UTC at an instant, such as `UTC+8`. */
export function describeOffset(at: number): string {
  const minutes = Math.round(offsetAt(at) / 60_000)
  const sign = minutes < 0 ? '\u2212' : '+'
  const size = Math.abs(minutes)
  const rest = size % 60
  return `UTC${sign}${Math.floor(size / 60)}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`
}
