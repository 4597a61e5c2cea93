import { csvFormOf, exportLimits } from '@busbar/contract'
import type { Cell, Column } from '../../kernel/files/cell.ts'
import { csvHead, encodeCsv, writeCsv } from '../../kernel/files/csv-writer.ts'
import { type Sheet, writeXlsx } from '../../kernel/files/xlsx-writer.ts'
import { ZoneClock } from '../../kernel/files/zone-clock.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { Slices } from '../../kernel/slices.ts'
import { longColumns, longLines, longRows, type NamedSeries, wideColumns, wideRows } from './export-rows.ts'
import { fileWords } from './export-text.ts'
import type { ExportWish } from './export-wish.ts'
import { type ReadTold, readWindows, type SampleSource, type SampleWindow } from './read-windows.ts'

/** Callbacks of writing. */
export interface WriteTold extends ReadTold {
  /** Rows so far, without headers. */
  rows: number
  /** From 0 to 1. */
  progress: number
}

/**
 * The bytes of an export. Memory holds a window of samples and a few pieces of the file.
 * @throws Failure EXPORT_XLSX_TOO_LARGE where there are more rows than such a file may have
 */
export function writeExport(
  source: SampleSource,
  series: readonly NamedSeries[],
  wish: ExportWish,
  told: WriteTold,
): AsyncGenerator<Buffer> {
  const writing = new Writing(source, series, wish, told)
  return wish.format === 'csv' ? writing.csv() : writing.xlsx()
}

class Writing {
  readonly #source: SampleSource
  readonly #series: readonly NamedSeries[]
  readonly #wish: ExportWish
  readonly #told: WriteTold
  readonly #clock: ZoneClock
  readonly #slices: Slices

  constructor(source: SampleSource, series: readonly NamedSeries[], wish: ExportWish, told: WriteTold) {
    this.#source = source
    this.#series = series
    this.#wish = wish
    this.#told = told
    this.#clock = new ZoneClock(wish.timezone)
    this.#slices = new Slices(told.signal)
  }

  csv(): AsyncGenerator<Buffer> {
    const [words, clock, form] = [fileWords[this.#wish.lang], this.#clock, csvFormOf(this.#wish)]
    if (this.#wish.layout === 'long')
      return encodeCsv(csvHead(this.#zoned(longColumns(words)), form), this.#allLines())
    const columns = this.#zoned(wideColumns(this.#series, words, { withMachine: true }))
    return writeCsv({ columns, clock, form }, this.#counted(this.#wideRows(this.#series, 0, 1)))
  }

  xlsx(): AsyncGenerator<Buffer> {
    const { offset } = fileWords[this.#wish.lang]
    return writeXlsx(this.#sheets(), { clock: this.#clock, offset })
  }

  *#sheets(): Generator<Sheet> {
    const { layout, lang } = this.#wish
    const words = fileWords[lang]
    if (layout === 'long') {
      yield {
        name: words.values,
        columns: this.#zoned(longColumns(words)),
        blocks: this.#counted(this.#allRows()),
      }
      return
    }
    const groups =
      layout === 'wide'
        ? [{ name: words.values, series: this.#series }]
        : Array.from(Map.groupBy(this.#series, ({ machineId }) => machineId).values(), (series) => ({
            name: series[0]?.machine ?? '',
            series,
          }))
    for (const [place, { name, series }] of groups.entries()) {
      const columns = this.#zoned(wideColumns(series, words, { withMachine: layout === 'wide' }))
      const blocks = this.#counted(this.#wideRows(series, place, groups.length))
      yield { name, columns, blocks }
    }
  }

  /** The header of times names their zone. */
  #zoned(columns: readonly Column[]): Column[] {
    return columns.map((column) =>
      column.kind === 'time' ? { ...column, header: `${column.header} (${this.#wish.timezone})` } : column,
    )
  }

  async *#allLines(): AsyncGenerator<string> {
    const told = this.#told
    const options = {
      words: fileWords[this.#wish.lang],
      clock: this.#clock,
      form: csvFormOf(this.#wish),
      slices: this.#slices,
      counted: (rows: number) => {
        told.rows += rows
      },
    }
    for (const [place, one] of this.#series.entries())
      yield* longLines(one, this.#windows([one], place, this.#series.length), options)
  }

  async *#allRows(): AsyncGenerator<Cell[][]> {
    const options = { words: fileWords[this.#wish.lang], slices: this.#slices }
    for (const [place, one] of this.#series.entries())
      yield* longRows(one, this.#windows([one], place, this.#series.length), options)
  }

  #wideRows(series: readonly NamedSeries[], place: number, of: number): AsyncGenerator<Cell[][]> {
    return wideRows(series, this.#windows(series, place, of), { slices: this.#slices })
  }

  async *#counted(blocks: AsyncIterable<Cell[][]>): AsyncGenerator<Cell[][]> {
    for await (const rows of blocks) {
      this.#told.rows += rows.length
      if (this.#wish.format === 'xlsx' && this.#told.rows > exportLimits.exportXlsxRowsMax)
        throw new Failure('EXPORT_XLSX_TOO_LARGE')
      yield rows
    }
  }

  /** Windows of the part `place` of `of` parts of the file. */
  async *#windows(series: readonly NamedSeries[], place: number, of: number): AsyncGenerator<SampleWindow> {
    const { from, to } = this.#wish
    for await (const window of readWindows(this.#source, series, this.#wish, this.#told)) {
      yield window
      this.#told.progress = (place + (window.to - from) / (to - from)) / of
    }
  }
}
