import { offsetAt, wallOf } from '../../i18n/zone.ts'
import type { TimeRange } from './time-range.ts'

/** A time as ISO 8601 in the zone of the screen, with its offset: in the hour that comes twice it still says which. */
export function isoLocal(at: number): string {
  const offsetMinutes = Math.round(offsetAt(at) / 60_000)
  const local = wallOf(at).toISOString().slice(0, -1)
  const sign = offsetMinutes < 0 ? '-' : '+'
  const size = Math.abs(offsetMinutes)
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${local}${sign}${two(size / 60)}:${two(size % 60)}`
}

/** A name every system takes: machine and range. */
export function csvName(machineName: string, { from, to }: TimeRange): string {
  const stamp = (at: number) => isoLocal(at).slice(0, 19).replaceAll(':', '').replace('T', '_')
  const name = machineName.replace(/[\p{Cc}\s\\/:*?"<>|]+/gu, ' ').trim()
  return `${name} ${stamp(from)} ${stamp(to)}.csv`
}
