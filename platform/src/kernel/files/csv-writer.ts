import { byteOrderMark, type CsvForm, csvExact, csvNumber, csvText, usualForm } from '@busbar/contract'
import type { Cell, Column, RowBlocks } from './cell.ts'
import type { ZoneClock } from './zone-clock.ts'

const lineEnd = '\r\n'
/** Characters that are encoded at once. */
const pieceLength = 256 * 1024

/** The table to write: its columns, and the zone of times. */
export interface CsvTable {
  readonly columns: readonly Column[]
  readonly clock: ZoneClock
  /** Commas and points by default. */
  readonly form?: CsvForm | undefined
}

/**
 * The bytes of a file for spreadsheets: UTF-8 with a byte order mark; text that looks like a formula stays text. Memory
 * holds a block of rows and a piece of the file, however long the file is (rules/data-centre.md: cells).
 */
export async function* writeCsv(table: CsvTable, blocks: RowBlocks): AsyncGenerator<Buffer> {
  yield* encodeCsv(csvHead(table.columns, table.form), linesOf(table, blocks))
}

/** The same of lines that are formatted already (`csvLine`), many in one text. */
export async function* encodeCsv(head: string, texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = byteOrderMark + head
  for await (const text of texts) {
    piece += text
    if (piece.length < pieceLength) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}

/** The first line. */
export const csvHead = (columns: readonly Column[], { delimiter }: CsvForm = usualForm): string =>
  columns.map(({ header }) => csvText(header)).join(delimiter) + lineEnd

/** A line of cells. */
export function csvLine(cells: readonly Cell[], { columns, clock, form = usualForm }: CsvTable): string {
  let line = ''
  for (let place = 0; place < cells.length; place++) {
    if (place > 0) line += form.delimiter
    line += formatCell(cells[place] ?? null, columns[place]?.kind, { clock, form })
  }
  return line + lineEnd
}

async function* linesOf(table: CsvTable, blocks: RowBlocks): AsyncGenerator<string> {
  for await (const rows of blocks) {
    let text = ''
    for (const cells of rows) {
      text += csvLine(cells, table)
      if (text.length < pieceLength) continue
      yield text
      text = ''
    }
    yield text
  }
}

function formatCell(
  cell: Cell,
  kind: Column['kind'],
  { clock, form }: { readonly clock: ZoneClock; readonly form: CsvForm },
): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return kind === 'text' ? csvExact(cell) : csvText(cell)
  if (typeof cell !== 'number') return String(cell)
  if (kind === 'time') return clock.text(cell)
  return kind === 'date' ? clock.date(cell) : csvNumber(cell, form)
}
