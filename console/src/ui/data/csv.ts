import type { TimeRange } from './trend-series.ts'

/** A time as ISO 8601 in the browser's zone, with its offset: in the hour that comes twice it still says which. */
export function isoLocal(at: number): string {
  const offsetMinutes = -new Date(at).getTimezoneOffset()
  const local = new Date(at + offsetMinutes * 60_000).toISOString().slice(0, -1)
  const sign = offsetMinutes < 0 ? '-' : '+'
  const size = Math.abs(offsetMinutes)
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${local}${sign}${two(size / 60)}:${two(size % 60)}`
}

/** The browser's zone by its name, such as `Asia/Shanghai`. */
export function zoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** A name every system takes: machine and range. */
export function csvName(machineName: string, { from, to }: TimeRange): string {
  const stamp = (at: number) => isoLocal(at).slice(0, 19).replaceAll(':', '').replace('T', '_')
  const name = machineName.replace(/[\p{Cc}\s\\/:*?"<>|]+/gu, ' ').trim()
  return `${name} ${stamp(from)} ${stamp(to)}.csv`
}
