import { placeIn, TableFault, type TableLimits } from './table-fault.ts'

/** Signs between the cells of a row; of equally many in the heading the first one here counts. */
export const delimiters = ['\t', ',', ';'] as const
export type Delimiter = (typeof delimiters)[number]

/** A line of a file that has cells, as they are written; `line` counts from 1 and names the first of several. */
export interface CsvLine {
  readonly line: number
  readonly cells: readonly string[]
}

/** The text of a file, and what stands between its cells. */
export interface CsvText {
  readonly delimiter: Delimiter
  /**
   * The rows one by one, so that a reader may pause between two of them; undefined for an empty line. The cost of a row is
   * bounded by its limits.
   * @throws TableFault
   */
  rows(limits?: TableLimits): Generator<CsvLine | undefined>
}

const endless = Number.POSITIVE_INFINITY
const noLimits: TableLimits = { rows: endless, cells: endless, characters: endless }
/** A heading has no more characters. */
const headingMax = 100_000

/**
 * A file as `formatCsv` writes it, or as a spreadsheet saves it: with commas, semicolons or tabs, as its heading has them,
 * and any line ends. A first line `sep=;` tells Excel the delimiter, and is not a row.
 * @throws TableFault for a text with NUL
 */
export function openCsv(text: string): CsvText {
  const nul = text.indexOf('\0')
  if (nul >= 0) throw new TableFault('text', placeIn(text, nul))
  const told = /^\uFEFF?sep=([,;\t])(?:\r\n|\n|\r|$)/i.exec(text)
  const delimiter = (told?.[1] as Delimiter | undefined) ?? findDelimiter(text)
  const start = told ? { at: told[0].length, line: 2 } : { at: text.startsWith('\uFEFF') ? 1 : 0, line: 1 }
  return { delimiter, rows: (limits = noLimits) => readRows(text, delimiter, start, limits) }
}

/** The sign that stands most often between the quoted texts of the first line with cells. */
function findDelimiter(text: string): Delimiter {
  const heading = text
    .slice(0, headingMax)
    .replace(/^[\uFEFF\s]+/, (space) => space.replace(/[\uFEFF\r\n]/g, ''))
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const sign of heading) {
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === '\n' || sign === '\r')) break
    else if (!isQuoted) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  const most = Math.max(...delimiters.map((sign) => counts.get(sign) ?? 0))
  return most === 0 ? ',' : (delimiters.find((sign) => counts.get(sign) === most) ?? ',')
}

interface Cursor {
  at: number
  line: number
}

function* readRows(
  text: string,
  delimiter: Delimiter,
  start: Readonly<Cursor>,
  limits: TableLimits,
): Generator<CsvLine | undefined> {
  const cursor = { ...start }
  const cellEnd = new RegExp(`[${delimiter}\r\n]`, 'g')
  for (let row = 1; cursor.at < text.length; row++) {
    const { line } = cursor
    const isOver = (limit: keyof TableLimits) => new TableFault(limit, { line, column: 1 })
    if (row > limits.rows) throw isOver('rows')
    const cells: string[] = []
    do {
      if (cells.length === limits.cells) throw isOver('cells')
      const cell = readCell(text, cursor, cellEnd, limits.characters)
      if (cell.length > limits.characters) throw isOver('characters')
      cells.push(cell)
    } while (text[cursor.at++] === delimiter)
    if (text[cursor.at - 1] === '\r' && text[cursor.at] === '\n') cursor.at++
    cursor.line++
    yield cells.some((cell) => cell !== '') ? { line, cells } : undefined
  }
}

/** Reads the cell at the cursor, which then stands at the sign after it; one that is too long ends early. */
function readCell(text: string, cursor: Cursor, cellEnd: RegExp, charactersMax: number): string {
  let cell = ''
  if (text[cursor.at] === '"') {
    const start = cursor.at
    for (let from = cursor.at + 1; ; from = cursor.at + 1) {
      const end = text.indexOf('"', from)
      const piece = text.slice(from, end < 0 ? text.length : end)
      cell += piece
      // A cell beyond its limit more likely has a quote too many than one too few.
      if (end < 0 && cell.length <= charactersMax) throw new TableFault('quote', placeIn(text, start))
      cursor.line += piece.match(/\r\n|\n|\r/g)?.length ?? 0
      cursor.at = end < 0 ? text.length : end + 1
      if (text[cursor.at] !== '"' || cell.length > charactersMax) break
      cell += '"'
    }
  }
  cellEnd.lastIndex = cursor.at
  const end = cellEnd.exec(text)?.index ?? text.length
  cell += text.slice(cursor.at, end)
  cursor.at = end
  return cell
}
