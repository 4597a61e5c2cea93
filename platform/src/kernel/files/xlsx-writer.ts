import { looksLikeFormula } from '@busbar/contract'
import type { Cell, Column, RowBlocks, Rows } from './cell.ts'
import {
  columnName,
  contentTypesXml,
  escapeXml,
  headStyle,
  packageRelationsXml,
  quotedStyle,
  SheetNames,
  sheetHead,
  sheetTail,
  styleOf,
  stylesXml,
  workbookRelationsXml,
  workbookXml,
} from './xlsx-parts.ts'
import { writeZip, type ZipEntry } from './zip-writer.ts'
import type { ZoneClock } from './zone-clock.ts'

/** How a file is written. */
export interface XlsxForm {
  readonly clock: ZoneClock
  /** Header of the columns of offsets, one behind each column of times: a time of xlsx has none. Without it there are none. */
  readonly offset?: string
}

/** A sheet to write; its rows are requested when its turn comes. */
export interface Sheet {
  readonly name: string
  readonly columns: readonly Column[]
  readonly blocks: RowBlocks
}

/** Rows of a sheet, the header included; others go to a next sheet. */
export const sheetRowsMax = 1_048_576
/** The limit of a cell's text; the rest is cut off. */
const cellLengthMax = 32_767
/** A spreadsheet keeps 15 digits of a number; longer ones are written as text. */
const exactMax = 999_999_999_999_999n
const pieceLength = 256 * 1024
const dayMs = 86_400_000
/** 1970-01-01 as spreadsheets count days. */
const epochDay = 25_569

/**
 * The bytes of an xlsx file: typed numbers and times, texts that are never formulas, a header that stays in sight. A sheet
 * that is full goes on in a next one of the same name with a number. Memory holds a block of rows and a few pieces of the
 * file, however long the file is. A file has one sheet at least.
 */
export function writeXlsx(
  sheets: Iterable<Sheet> | AsyncIterable<Sheet>,
  options: XlsxForm & { readonly rowsMax?: number },
): AsyncGenerator<Buffer> {
  return writeZip(entriesOf(sheets, options, options.rowsMax ?? sheetRowsMax))
}

async function* entriesOf(
  sheets: Iterable<Sheet> | AsyncIterable<Sheet>,
  form: XlsxForm,
  rowsMax: number,
): AsyncGenerator<ZipEntry> {
  const names = new SheetNames()
  for await (const sheet of sheets) {
    const rows = new SheetRows(sheet, form, rowsMax)
    try {
      do {
        names.add(sheet.name)
        yield { path: `xl/worksheets/sheet${names.list.length}.xml`, bytes: () => rows.nextSheet() }
      } while (rows.hasMore)
    } finally {
      await rows.close()
    }
  }
  const count = names.list.length
  const parts: readonly [string, string][] = [
    ['xl/workbook.xml', workbookXml(names.list)],
    ['xl/_rels/workbook.xml.rels', workbookRelationsXml(count)],
    ['xl/styles.xml', stylesXml()],
    ['_rels/.rels', packageRelationsXml()],
    ['[Content_Types].xml', contentTypesXml(count)],
  ]
  for (const [path, xml] of parts) yield { path, bytes: () => [Buffer.from(xml)] }
}

/** The rows of a sheet, with those that go on in next ones. */
class SheetRows {
  readonly #columns: readonly Column[]
  readonly #source: AsyncIterator<Rows> | Iterator<Rows>
  readonly #format: RowFormat
  readonly #rowsMax: number
  #block: Rows = []
  #place = 0

  constructor({ columns, blocks }: Sheet, { clock, offset }: XlsxForm, rowsMax: number) {
    this.#columns =
      offset === undefined
        ? columns
        : columns.flatMap((column) =>
            column.kind === 'time' ? [column, { header: offset, width: 8 }] : [column],
          )
    this.#source = Symbol.asyncIterator in blocks ? blocks[Symbol.asyncIterator]() : blocks[Symbol.iterator]()
    this.#format = new RowFormat(this.#columns, clock, offset !== undefined)
    this.#rowsMax = rowsMax
  }

  /** Whether rows are left for another sheet; known after a sheet is written. */
  get hasMore(): boolean {
    return this.#place < this.#block.length
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async *nextSheet(): AsyncGenerator<Buffer> {
    let text = sheetHead(this.#columns) + this.#format.head()
    let number = 1
    for (;;) {
      // Called without await if the result is ready: there are millions.
      const found = this.#fill()
      if ((found !== true && !(await found)) || number >= this.#rowsMax) break
      text += this.#format.row(this.#block[this.#place++] as readonly Cell[], ++number)
      if (text.length < pieceLength) continue
      yield Buffer.from(text)
      text = ''
    }
    yield Buffer.from(text + sheetTail)
  }

  /** Whether there is a next row; requests the next block that has one. */
  #fill(): true | Promise<boolean> {
    return this.#place < this.#block.length ? true : this.#nextBlock()
  }

  async #nextBlock(): Promise<boolean> {
    for (;;) {
      const next = await this.#source.next()
      this.#block = next.done ? [] : next.value
      this.#place = 0
      if (this.#block.length > 0) return true
      if (next.done) return false
    }
  }
}

/** Writes rows of the same columns. */
class RowFormat {
  readonly #columns: readonly Column[]
  readonly #names: readonly string[]
  readonly #styles: readonly string[]
  readonly #clock: ZoneClock
  readonly #hasOffsets: boolean

  constructor(columns: readonly Column[], clock: ZoneClock, hasOffsets: boolean) {
    this.#hasOffsets = hasOffsets
    this.#columns = columns
    this.#names = columns.map((_, place) => columnName(place))
    this.#styles = columns.map((column) => {
      const style = styleOf(column)
      return style === 0 ? '' : ` s="${style}"`
    })
    this.#clock = clock
  }

  head(): string {
    const cells = this.#columns.map(({ header }, place) =>
      textCell(`${this.#names[place]}1`, header, ` s="${headStyle}"`),
    )
    return `<row r="1">${cells.join('')}</row>`
  }

  row(cells: readonly Cell[], number: number): string {
    let text = `<row r="${number}">`
    let place = 0
    for (const cell of cells) {
      const isTime = this.#columns[place]?.kind === 'time'
      if (cell !== null) text += this.#cell(cell, place, `${this.#names[place]}${number}`)
      place++
      if (!isTime || !this.#hasOffsets) continue
      if (typeof cell === 'number')
        text += textCell(`${this.#names[place]}${number}`, this.#clock.offset(cell), '')
      place++
    }
    return `${text}</row>`
  }

  #cell(cell: string | number | bigint | boolean, place: number, at: string): string {
    const style = this.#styles[place] as string
    if (typeof cell === 'string') return textCell(at, cell, style)
    if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`
    if (typeof cell === 'bigint' && (cell > exactMax || cell < -exactMax))
      return textCell(at, String(cell), '')
    if (typeof cell === 'number' && !Number.isFinite(cell)) return ''
    const kind = this.#columns[place]?.kind
    const value =
      (kind === 'time' || kind === 'date') && typeof cell === 'number' ? this.#day(cell, kind) : cell
    return `<c r="${at}"${style}><v>${value}</v></c>`
  }

  /** A time as spreadsheets count: days. */
  #day(at: number, kind: 'time' | 'date'): number {
    const day = this.#clock.wall(at) / dayMs + epochDay
    return kind === 'date' ? Math.floor(day) : day
  }
}

function textCell(at: string, text: string, style: string): string {
  const kept = text.length > cellLengthMax ? text.slice(0, cellLengthMax) : text
  const own = looksLikeFormula(kept) ? ` s="${quotedStyle}"` : style
  return `<c r="${at}"${own} t="inlineStr"><is><t xml:space="preserve">${escapeXml(kept)}</t></is></c>`
}
