/** A cell: text of any person; `exact`: a number or a time that the platform wrote, kept unchanged; or empty. */
export type CsvCell = string | { readonly exact: string | number } | null

const byteOrderMark = '\uFEFF'
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
  return quote(formulaStart.test(cell) ? `'${cell}` : cell)
}

function quote(text: string): string {
  return separators.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
