import { type CsvForm, csvNumber, csvText } from '@busbar/contract'
import { type Cell, type Column, roundNumber } from '../../kernel/files/cell.ts'
import type { ZoneClock } from '../../kernel/files/zone-clock.ts'
import type { Slices } from '../../kernel/slices.ts'
import { qualityOf, type TagSeries } from '../telemetry/index.ts'
import { type FileWords, qualityWord } from './export-text.ts'
import type { SampleWindow } from './read-windows.ts'
import type { SampleColumn } from './sample-column.ts'

/** Rows between two checks of the clock. */
const stepRows = 1_000
const lineEnd = '\r\n'

/** The value of a column at a place, as files have it. */
function cellAt(
  column: SampleColumn,
  place: number,
  { scale }: Pick<NamedSeries, 'scale'>,
  isComputed: boolean,
): Exclude<Cell, undefined> {
  const value = column.valueAt(place)
  return typeof value === 'number' ? roundNumber(value, { digits: scale, isComputed }) : value
}

/** A variable as files name it. */
export interface NamedSeries extends TagSeries {
  readonly machine: string
}

/** The columns of a file with a row for each value. */
export function longColumns(words: FileWords): Column[] {
  return [
    { header: words.time, kind: 'time' },
    { header: words.device, width: 24 },
    { header: words.group, width: 20 },
    { header: words.variable, width: 28 },
    { header: words.value, width: 18 },
    { header: words.unit },
    { header: words.quality },
  ]
}

/** The columns of a file with a row for each time. */
export function wideColumns(
  series: readonly NamedSeries[],
  words: FileWords,
  { withMachine }: { readonly withMachine: boolean },
): Column[] {
  return [
    { header: words.time, kind: 'time' },
    ...series.map(({ machine, group, name, unit, scale }): Column => {
      const path = [...(withMachine ? [machine] : []), group, name].filter((part) => part !== '').join(' / ')
      return { header: unit === '' ? path : `${path} [${unit}]`, digits: scale ?? undefined }
    }),
  ]
}

/** The rows of one variable, one for each value. */
export async function* longRows(
  series: NamedSeries,
  windows: AsyncIterable<SampleWindow>,
  { words, slices }: { readonly words: FileWords; readonly slices: Slices },
): AsyncGenerator<Cell[][]> {
  const { machine, group, name, unit } = series
  for await (const { columns, isComputed } of windows)
    for (const column of columns[0] ?? [])
      for (let from = 0; from < column.count; from += stepRows) {
        const rows: Cell[][] = []
        for (let place = from; place < Math.min(from + stepRows, column.count); place++) {
          const quality = qualityWord(words, column.qualities[place] as number)
          rows.push([
            column.times[place] as number,
            machine,
            group,
            name,
            cellAt(column, place, series, isComputed),
            unit,
            quality,
          ])
        }
        yield rows
        await slices.next()
      }
}

/** The same as lines of csv, without an object for each row: there are many millions of them. */
export async function* longLines(
  series: NamedSeries,
  windows: AsyncIterable<SampleWindow>,
  options: {
    readonly words: FileWords
    readonly clock: ZoneClock
    readonly form: CsvForm
    readonly slices: Slices
    counted(rows: number): void
  },
): AsyncGenerator<string> {
  const { machine, group, name, unit } = series
  const { words, clock, form, slices } = options
  const { delimiter } = form
  const before = ['', ...[machine, group, name].map(csvText), ''].join(delimiter)
  const ends = new Map<number, string>()
  const endOf = (quality: number): string => {
    let end = ends.get(quality)
    if (end === undefined) {
      end = ['', csvText(unit), csvText(qualityWord(words, quality))].join(delimiter) + lineEnd
      ends.set(quality, end)
    }
    return end
  }
  for await (const { columns, isComputed } of windows)
    for (const column of columns[0] ?? [])
      for (let from = 0; from < column.count; from += stepRows) {
        const to = Math.min(from + stepRows, column.count)
        let text = ''
        let quality = -1
        let end = ''
        for (let place = from; place < to; place++) {
          if (column.qualities[place] !== quality) {
            quality = column.qualities[place] as number
            end = endOf(quality)
          }
          const value = cellAt(column, place, series, isComputed)
          text += clock.text(column.times[place] as number) + before + formatValue(value, form) + end
        }
        options.counted(to - from)
        yield text
        await slices.next()
      }
}

function formatValue(value: Cell, form: CsvForm): string {
  if (value === null) return ''
  if (typeof value === 'string') return csvText(value)
  return typeof value === 'number' ? csvNumber(value, form) : String(value)
}

/** The rows of several variables, one for each time at which one of them has a value. */
export async function* wideRows(
  series: readonly NamedSeries[],
  windows: AsyncIterable<SampleWindow>,
  { slices }: { readonly slices: Slices },
): AsyncGenerator<Cell[][]> {
  for await (const { columns, isComputed } of windows) {
    const all = columns.flatMap((versions, place) =>
      versions.filter(({ count }) => count > 0).map((column) => ({ column, place, next: 0 })),
    )
    const times = timesOf(all.map(({ column }) => column))
    let rows: Cell[][] = []
    for (const time of times) {
      const row: Cell[] = new Array(columns.length + 1).fill(null)
      row[0] = time
      let hasValue = false
      for (const each of all) {
        const { column } = each
        if (each.next >= column.count || column.times[each.next] !== time) continue
        const of = series[each.place] as NamedSeries
        const isKnown = isShown(column.qualities[each.next] as number)
        const value = isKnown ? cellAt(column, each.next, of, isComputed) : null
        each.next++
        row[each.place + 1] = value
        hasValue ||= value !== null
      }
      // A time without any value needs no row.
      if (hasValue) rows.push(row)
      if (rows.length < stepRows) continue
      yield rows
      rows = []
      await slices.next()
    }
    if (rows.length > 0) yield rows
  }
}

/** A row for each time has no column for qualities, so it shows only good and uncertain values. */
const isShown = (quality: number): boolean => {
  const word = qualityOf(quality)
  return word === 'good' || word === 'uncertain'
}

/** The times of several columns, each once, in order. */
function timesOf(columns: readonly SampleColumn[]): Float64Array {
  const all = new Float64Array(columns.reduce((sum, { count }) => sum + count, 0))
  let place = 0
  for (const { times, count } of columns) {
    all.set(times.subarray(0, count), place)
    place += count
  }
  if (columns.length > 1) all.sort()
  let count = 0
  for (const time of all) if (count === 0 || all[count - 1] !== time) all[count++] = time
  return all.subarray(0, count)
}
