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

/** A cell with whether it is text, which alone could be taken for a formula. */
export interface Cell {
  readonly text: string
  readonly isText: boolean
}

const byteOrderMark = '\uFEFF'
const lineEnd = '\r\n'

/** A file a spreadsheet opens as it is: UTF-8 with its mark, text that looks like a formula made harmless (decision 48). */
export function formatCsv(lines: readonly (readonly (Cell | null)[])[]): string {
  const format = (cell: Cell | null) => (cell ? quote(cell.isText ? neutralise(cell.text) : cell.text) : '')
  return byteOrderMark + lines.map((cells) => cells.map(format).join(',')).join(lineEnd) + lineEnd
}

function neutralise(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A name every system takes: machine and range. */
export function csvName(machineName: string, { from, to }: TimeRange): string {
  const stamp = (at: number) => isoLocal(at).slice(0, 19).replaceAll(':', '').replace('T', '_')
  const name = machineName.replace(/[\p{Cc}\s\\/:*?"<>|]+/gu, ' ').trim()
  return `${name} ${stamp(from)} ${stamp(to)}.csv`
}
