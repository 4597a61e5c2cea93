import { type CsvCell, csvFormOf, formatCsv } from '@busbar/contract'
import { offsetAt, wallOf } from '../../i18n/zone.ts'
import { getPreferences } from '../../session/preferences.ts'
import type { TimeRange } from './time-range.ts'

/** The form of csv that this person selected, for requests and files; without one the usual. */
export const ownCsvWish = () => getPreferences().csv ?? {}

/** A table as a file in the person's form. */
export const formatTable = (lines: readonly (readonly CsvCell[])[]): string =>
  formatCsv(lines, csvFormOf(ownCsvWish()))

/** A time as ISO 8601 in the zone of the screen, with its offset: in the hour that comes twice it still says which. */
export function isoLocal(at: number): string {
  const offsetMinutes = Math.round(offsetAt(at) / 60_000)
  const local = wallOf(at).toISOString().slice(0, -1)
  const sign = offsetMinutes < 0 ? '-' : '+'
  const size = Math.abs(offsetMinutes)
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${local}${sign}${two(size / 60)}:${two(size % 60)}`
}

/** A time as a part of a file's name. */
export function fileStamp(at: number): string {
  return isoLocal(at).slice(0, 19).replaceAll(':', '').replace('T', '_')
}

/** A cell of an exported list: the time as ISO 8601. */
export function timeCell(at: number | null): CsvCell {
  return at === null ? null : { exact: isoLocal(at) }
}

/** A name every system takes: machine and range. */
export function csvName(machineName: string, { from, to }: TimeRange): string {
  const name = machineName.replace(/[\p{Cc}\s\\/:*?"<>|]+/gu, ' ').trim()
  return `${name} ${fileStamp(from)} ${fileStamp(to)}.csv`
}
