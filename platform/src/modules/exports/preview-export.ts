import { type exports as contract, csvFormOf, exportLimits } from '@busbar/contract'
import type { Cell, Column } from '../../kernel/files/cell.ts'
import { csvLine } from '../../kernel/files/csv-writer.ts'
import { sheetRowsMax } from '../../kernel/files/xlsx-writer.ts'
import { ZoneClock } from '../../kernel/files/zone-clock.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { Slices } from '../../kernel/slices.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { longColumns, longRows, type NamedSeries, wideColumns, wideRows } from './export-rows.ts'
import { fileWords } from './export-text.ts'
import type { ExportWish } from './export-wish.ts'
import { Intervals } from './intervals.ts'
import { readWindows, type SampleWindow } from './read-windows.ts'
import { columnOf } from './sample-column.ts'

type Source = Pick<Telemetry, 'countPastSamples' | 'readFirst' | 'readBuckets' | 'readSamples'>

/** Rows that are read to estimate their number. */
const lookedAt = 200
/** Measured: an xlsx file takes from half of the csv file, for regular times, to all of it, for many uneven values. */
const xlsxShare = 0.6
/** Of an xlsx file without rows. */
const xlsxBytes = 3_000

/** The size of an export. If several variables share times, the rows are estimated from the first ones. */
export interface ExportSize {
  readonly samples: number
  readonly rows: number
}

/** The samples of an export, at most one more than are allowed. */
export function countSamples(
  source: Source,
  series: readonly NamedSeries[],
  wish: ExportWish,
): Promise<number> {
  const { exportSamplesMax } = exportLimits
  const versions = series.flatMap(({ versions, machineId, group, name }) =>
    versions.map((version) => ({ ...version, machineId, group, name })),
  )
  return source.countPastSamples(versions, wish, exportSamplesMax + 1)
}

/**
 * Refuses exports that cannot be made as a file.
 * @throws Failure EXPORT_SPAN, EXPORT_CSV_SHEETS, EXPORT_TOO_LARGE
 */
export function requirePossible({ from, to, format, layout, interval, timezone, tagIds }: ExportWish): void {
  if (to <= from || to - from > exportLimits.exportMsMax) throw new Failure('EXPORT_SPAN')
  if (format === 'csv' && layout === 'sheetPerMachine') throw new Failure('EXPORT_CSV_SHEETS')
  if (interval === undefined) return
  // Each of them is looked up, even for times without samples.
  const samples = new Intervals(interval, timezone).count(from, to) * tagIds.length
  if (samples > exportLimits.exportSamplesMax) throw new Failure('EXPORT_TOO_LARGE', { data: { samples } })
}

/** The first rows of an export with its size. */
export async function previewExport(
  source: Source,
  series: readonly NamedSeries[],
  wish: ExportWish,
): Promise<contract.ExportPreview> {
  const words = fileWords[wish.lang]
  const samples = await countSamples(source, series, wish)
  const shown =
    wish.layout === 'sheetPerMachine'
      ? series.filter(({ machineId }) => machineId === series[0]?.machineId)
      : series
  const window = await readHead(source, wish.layout === 'long' ? shown.slice(0, 1) : shown, wish)
  const { head, columns, ratio } = await rowsOf(window, shown, wish)
  const rows = estimateRows(series, wish, { samples, ratio })
  if (wish.interval === undefined && samples > exportLimits.exportSamplesMax)
    throw new Failure('EXPORT_TOO_LARGE', { data: { samples } })
  if (wish.format === 'xlsx' && rows > exportLimits.exportXlsxRowsMax)
    throw new Failure('EXPORT_XLSX_TOO_LARGE', { data: { rows } })
  const clock = new ZoneClock(wish.timezone)
  const lengths = head.map((cells) => csvLine(cells, { columns, clock, form: csvFormOf(wish) }).length)
  const perRow = lengths.length === 0 ? 0 : lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const machines = new Set(series.map(({ machineId }) => machineId)).size
  const perSheet = Math.ceil(rows / (wish.layout === 'sheetPerMachine' ? machines : 1) / (sheetRowsMax - 1))
  return {
    samples,
    rows,
    bytes: Math.ceil(wish.format === 'xlsx' ? xlsxBytes + rows * perRow * xlsxShare : rows * perRow),
    sheets:
      wish.format === 'csv' ? 1 : Math.max(perSheet, 1) * (wish.layout === 'sheetPerMachine' ? machines : 1),
    columns: columns.map(({ header, kind }) =>
      kind === 'time' ? `${words.time} (${wish.timezone})` : header,
    ),
    head: head
      .slice(0, exportLimits.previewRows)
      .map((cells) => cells.map((cell, place) => textOf(cell, columns[place], clock))),
  }
}

/** The first samples, or intervals, as a window. */
async function readHead(
  source: Source,
  series: readonly NamedSeries[],
  wish: ExportWish,
): Promise<SampleWindow> {
  const tags = series.flatMap(({ versions }) => versions)
  const first = await source.readFirst(tags, wish, wish.interval === undefined ? lookedAt : 1)
  const points = [...first.values()].flat()
  if (points.length === 0) return { to: wish.to, isComputed: false, columns: series.map(() => []) }
  if (wish.interval !== undefined) {
    const begin = Math.min(...points.map(({ at }) => at))
    const intervals = new Intervals(wish.interval, wish.timezone)
    const from = Math.max(wish.from, begin)
    const { to } = intervals.windowFrom(intervals.startOf(from), exportLimits.previewRows)
    const head = { ...wish, from, to: Math.min(to, wish.to) }
    for await (const window of readWindows(source, series, head, { damaged: 0 })) return window
  }
  // If a variable has more samples than were read, those after the last one read are unknown.
  const cutAt = Math.min(
    ...Array.from(first.values(), (rows) =>
      rows.length < lookedAt ? Number.POSITIVE_INFINITY : (rows.at(-1)?.at ?? 0) + 1,
    ),
  )
  return {
    to: cutAt,
    isComputed: false,
    columns: series.map(({ versions }) =>
      versions.map(({ id, type }) =>
        columnOf(
          (first.get(id) ?? []).filter(({ at }) => at < cutAt),
          type === 'bool',
        ),
      ),
    ),
  }
}

async function rowsOf(
  window: SampleWindow,
  series: readonly NamedSeries[],
  wish: ExportWish,
): Promise<{ head: Cell[][]; columns: Column[]; ratio: number }> {
  const words = fileWords[wish.lang]
  const slices = new Slices()
  async function* windows() {
    yield window
  }
  const [one] = series
  const isLong = wish.layout === 'long'
  const blocks =
    isLong && one ? longRows(one, windows(), { words, slices }) : wideRows(series, windows(), { slices })
  const head: Cell[][] = []
  for await (const rows of blocks) head.push(...rows)
  const columns = isLong
    ? longColumns(words)
    : wideColumns(series, words, { withMachine: wish.layout === 'wide' })
  const samples = window.columns.flat().reduce((sum, { count }) => sum + count, 0)
  return { head, columns, ratio: samples === 0 ? 1 : head.length / samples }
}

function estimateRows(
  series: readonly NamedSeries[],
  wish: ExportWish,
  { samples, ratio }: { readonly samples: number; readonly ratio: number },
): number {
  if (wish.interval === undefined) return Math.round(wish.layout === 'long' ? samples : samples * ratio)
  const intervals = new Intervals(wish.interval, wish.timezone).count(wish.from, wish.to)
  const machines = new Set(series.map(({ machineId }) => machineId)).size
  const times = { wide: 1, long: series.length, sheetPerMachine: machines }[wish.layout]
  return intervals * times
}

function textOf(cell: Cell, column: Column | undefined, clock: ZoneClock): string {
  if (cell === null) return ''
  return column?.kind === 'time' && typeof cell === 'number' ? clock.text(cell) : String(cell)
}
