import type { telemetry } from '@busbar/contract'
import type { TimeRange } from '../../ui/data/trend-series.ts'
import { pointsWithin, type TagSeries } from './history-series.ts'

export interface CsvWords {
  readonly time: string
  readonly min: string
  readonly max: string
  readonly quality: string
  readonly qualities: Readonly<Record<telemetry.Quality, string>>
}

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

/** Rows of what is shown: one a time, and for each series what it says at that time, exactly as it was told. */
export interface SeenTable {
  readonly header: readonly string[]
  readonly rows: readonly { readonly at: number; readonly cells: readonly (Cell | null)[] }[]
}

/** A cell with whether it is text, which alone could be taken for a formula. */
export interface Cell {
  readonly text: string
  readonly isText: boolean
}

interface Column {
  readonly name: string
  readonly cellsByTime: ReadonlyMap<number, Cell | null>
}

export function tableOf(series: readonly TagSeries[], range: TimeRange, words: CsvWords): SeenTable {
  const columns = series.flatMap((each) => columnsOf(each, range, words))
  const times = [...new Set(columns.flatMap(({ cellsByTime }) => [...cellsByTime.keys()]))].sort(
    (a, b) => a - b,
  )
  return {
    header: [`${words.time} (${zoneName()})`, ...columns.map(({ name }) => name)],
    rows: times.map((at) => ({ at, cells: columns.map(({ cellsByTime }) => cellsByTime.get(at) ?? null) })),
  }
}

/** Of averages the least and greatest too; of samples their quality, where one of them is not good. */
function columnsOf(series: TagSeries, range: TimeRange, words: CsvWords): Column[] {
  const { tag, kind } = series
  const points = pointsWithin(series, range)
  const title = tag.unit ? `${tag.name} (${tag.unit})` : tag.name
  const column = (name: string, cellOf: (point: (typeof points)[number]) => Cell | null): Column => ({
    name,
    cellsByTime: new Map(points.map((point) => [point.at, cellOf(point)])),
  })
  const number = (value: number | null) => (value === null ? null : { text: String(value), isText: false })
  const columns = [column(title, ({ told }) => cellOf(told, tag.type))]
  if (kind === 'buckets' && tag.type !== 'string') {
    columns.push(column(`${title} ${words.min}`, ({ min }) => number(min)))
    columns.push(column(`${title} ${words.max}`, ({ max }) => number(max)))
  }
  if (points.some(({ quality }) => quality !== 'good')) {
    const ofPoint = (quality: telemetry.Quality) => ({ text: words.qualities[quality], isText: true })
    columns.push(column(`${title} ${words.quality}`, ({ quality }) => ofPoint(quality)))
  }
  return columns
}

function cellOf(told: telemetry.TagValue, type: telemetry.TagType): Cell | null {
  if (told === null) return null
  // The digits of an int64 beyond 2^53 come as a string and are a number (decision 43).
  return { text: String(told), isText: type === 'string' }
}

const byteOrderMark = '\uFEFF'
const lineEnd = '\r\n'

/** A file a spreadsheet opens as it is: UTF-8 with its mark, text that looks like a formula made harmless (decision 48). */
export function formatCsv({ header, rows }: SeenTable): string {
  const lines = [
    header.map((name) => quote(neutralise(name))),
    ...rows.map(({ at, cells }) => [
      isoLocal(at),
      ...cells.map((cell) => (cell ? quote(cell.isText ? neutralise(cell.text) : cell.text) : '')),
    ]),
  ]
  return byteOrderMark + lines.map((cells) => cells.join(',')).join(lineEnd) + lineEnd
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
