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

/** Reads a file as `formatCsv` writes it, also with other line ends; empty lines are left out. */
export function parseCsv(text: string): CsvLine[] {
  const lines: CsvLine[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let startedAt = 1
  const end = () => {
    cells.push(unguard(cell))
    if (cells.some((one) => one !== '')) lines.push({ line: startedAt, cells })
    cells = []
    cell = ''
  }
  for (let place = text.startsWith(byteOrderMark) ? 1 : 0; place < text.length; place++) {
    const sign = text[place] as string
    if (sign === '\n') line++
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[place + 1] === '"') {
        cell += '"'
        place++
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === ',') {
      cells.push(unguard(cell))
      cell = ''
    } else if (sign === '\n') {
      end()
      startedAt = line
    } else if (sign !== '\r') cell += sign
  }
  end()
  return lines
}

/** The text of a cell without the sign that keeps a spreadsheet from reading it as a formula. */
function unguard(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell.slice(1)) ? cell.slice(1) : cell
}
