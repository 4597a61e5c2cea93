/** A cell: text of any person; `exact`: a number or a time that the platform wrote, kept unchanged; or empty. */
export type CsvCell = string | { readonly exact: string | number } | null

/** Begins a file of UTF-8, so that spreadsheets read it as such. */
export const byteOrderMark = '\uFEFF'
const lineEnd = '\r\n'
/** Signs that begin a formula in a spreadsheet, or are skipped before one. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/
/** Semicolons and tabs too: some spreadsheets cut lines there, and a formula could begin after one. */
const separators = /[",;\t\r\n]/

/** A file for spreadsheets: UTF-8 with a byte order mark; text that looks like a formula stays text. */
export function formatCsv(lines: readonly (readonly CsvCell[])[]): string {
  return byteOrderMark + lines.map((cells) => cells.map(formatCell).join(',')).join(lineEnd) + lineEnd
}

function formatCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'object') return quote(String(cell.exact))
  return csvText(cell)
}

/** Whether a spreadsheet could read a text as a formula. */
export const looksLikeFormula = (text: string): boolean => formulaStart.test(text)

/** A text of any person as a field of a file. */
export const csvText = (text: string): string => quote(looksLikeFormula(text) ? `'${text}` : text)

function quote(text: string): string {
  return separators.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of a file that has cells; `line` counts from 1 and names the first of several. */
export interface CsvLine {
  readonly line: number
  readonly cells: readonly string[]
}

/** How much of a file is read: its rows, the cells of a row, and the characters of a cell. */
export interface CsvLimits {
  readonly rows: number
  readonly cells: number
  readonly characters: number
}

/** A file that has more than one of the limits; nothing after that place was read. */
export class CsvTooLarge extends Error {
  override name = 'CsvTooLarge'
  readonly limit: keyof CsvLimits
  readonly line: number

  constructor(limit: keyof CsvLimits, line: number) {
    super(`line ${line} is beyond the limit of ${limit}`)
    this.limit = limit
    this.line = line
  }
}

const endless = Number.POSITIVE_INFINITY

/** Reads a file as `formatCsv` writes it, also with other line ends; empty lines are left out. */
export const parseCsv = (text: string): CsvLine[] =>
  [...readCsvRows(text, { rows: endless, cells: endless, characters: endless })].filter(
    (row) => row !== undefined,
  )

/**
 * Reads a file row by row, so that its reader may pause between two of them; undefined for an empty line. The cost of a
 * row is bounded by its limits.
 * @throws CsvTooLarge
 */
export function* readCsvRows(text: string, limits: CsvLimits): Generator<CsvLine | undefined> {
  const cursor = { at: text.startsWith(byteOrderMark) ? 1 : 0, line: 1 }
  for (let row = 1; cursor.at < text.length; row++) {
    const { line } = cursor
    if (row > limits.rows) throw new CsvTooLarge('rows', line)
    const cells: string[] = []
    do {
      if (cells.length === limits.cells) throw new CsvTooLarge('cells', line)
      const cell = readCell(text, cursor, limits.characters)
      if (cell.length > limits.characters) throw new CsvTooLarge('characters', line)
      cells.push(unguard(cell))
    } while (text[cursor.at++] === ',')
    cursor.line++
    yield cells.some((cell) => cell !== '') ? { line, cells } : undefined
  }
}

const separator = /[,\n]/g

/** Reads the cell at the cursor, which then stands at the comma or the line end after it; one that is too long ends early. */
function readCell(text: string, cursor: { at: number; line: number }, charactersMax: number): string {
  let cell = ''
  // A carriage return before a quote belongs to no text.
  while (text[cursor.at] === '\r') cursor.at++
  if (text[cursor.at] === '"') {
    for (let from = cursor.at + 1; ; from = cursor.at + 1) {
      const end = text.indexOf('"', from)
      const piece = text.slice(from, end < 0 ? text.length : end)
      cell += piece
      cursor.line += countLineEnds(piece)
      cursor.at = end < 0 ? text.length : end + 1
      if (text[cursor.at] !== '"' || cell.length > charactersMax) break
      cell += '"'
    }
  }
  separator.lastIndex = cursor.at
  const end = separator.exec(text)?.index ?? text.length
  cell += text.slice(cursor.at, end).replaceAll('\r', '')
  cursor.at = end
  return cell
}

function countLineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** The text of a cell without the sign that keeps a spreadsheet from reading it as a formula. */
function unguard(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell.slice(1)) ? cell.slice(1) : cell
}
