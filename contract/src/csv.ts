import { type CsvLine, type Delimiter, openCsv } from './read-csv.ts'

/**
 * A cell: text of any person; a number; `exact`: a text that stays as it is, such as a time that the platform wrote, or a
 * secret; `code`: digits that a spreadsheet would round, in a list for people; or empty.
 */
export type CsvCell = string | number | { readonly exact: string } | { readonly code: string } | null

/** How a file is written: spreadsheets of many countries expect semicolons and a decimal comma. */
export interface CsvForm {
  readonly delimiter: Delimiter
  readonly decimal: '.' | ','
}

export const usualForm: CsvForm = { delimiter: ',', decimal: '.' }

/** The signs between the cells of a file, and before the decimals of its numbers, as requests name them. */
export const csvDelimiters = ['comma', 'semicolon', 'tab'] as const
export type CsvDelimiter = (typeof csvDelimiters)[number]
export const csvDecimals = ['point', 'comma'] as const
export type CsvDecimal = (typeof csvDecimals)[number]

/** The form that a person selected; the usual one where nothing is named. */
export interface CsvWish {
  readonly delimiter?: CsvDelimiter | undefined
  readonly decimal?: CsvDecimal | undefined
}

const delimiterSigns: Readonly<Record<CsvDelimiter, Delimiter>> = { comma: ',', semicolon: ';', tab: '\t' }

export const csvFormOf = ({ delimiter = 'comma', decimal = 'point' }: CsvWish): CsvForm => ({
  delimiter: delimiterSigns[delimiter],
  decimal: decimal === 'point' ? '.' : ',',
})

/** Begins a file of UTF-8, so that spreadsheets read it as such. */
export const byteOrderMark = '\uFEFF'
const lineEnd = '\r\n'
/** Signs that begin a formula in a spreadsheet, or are skipped before one. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/
/** The same behind apostrophes: a text that has one already gets another, so that reading takes only ours away. */
const guardedStart = /^'*[=+\-@\t\r\n＝＋－＠]/
/** Every delimiter: some spreadsheets cut lines there, and a formula could begin after one. */
const separators = /[",;\t\r\n]/

/** A file for spreadsheets: UTF-8 with a byte order mark; text that looks like a formula stays text. */
export function formatCsv(lines: readonly (readonly CsvCell[])[], form: CsvForm = usualForm): string {
  const text = lines.map((cells) => cells.map((cell) => formatCell(cell, form)).join(form.delimiter))
  return byteOrderMark + text.join(lineEnd) + lineEnd
}

function formatCell(cell: CsvCell, form: CsvForm): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return csvNumber(cell, form)
  if (typeof cell === 'string') return csvText(cell)
  return 'code' in cell ? csvCode(cell.code) : csvExact(cell.exact)
}

/** Whether a spreadsheet could read a text as a formula. */
export const looksLikeFormula = (text: string): boolean => formulaStart.test(text)

/** A text of any person as a field of a file. */
export const csvText = (text: string): string => csvExact(guardedStart.test(text) ? `'${text}` : text)

/** A text as a field of a file, whatever a spreadsheet makes of it: codes, secrets, times. */
export const csvExact = (text: string): string =>
  separators.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** A code as a field that spreadsheets show as a text: of a number they keep 15 digits. */
const csvCode = (code: string): string => (/^\d+$/.test(code) ? csvExact(`="${code}"`) : csvText(code))

/** A number as a field of a file; NaN and infinities, which spreadsheets lack, are empty. */
export function csvNumber(value: number, { decimal, delimiter }: CsvForm): string {
  if (!Number.isFinite(value)) return ''
  const text = decimal === '.' ? String(value) : String(value).replace('.', decimal)
  return text.includes(delimiter) ? `"${text}"` : text
}

/** The text of a cell as it was before `formatCsv` kept a spreadsheet from reading it as a formula or a number. */
export const unguard = (cell: string): string =>
  cell.startsWith("'") && guardedStart.test(cell) ? cell.slice(1) : (/^="(\d+)"$/.exec(cell)?.[1] ?? cell)

/** Reads a whole file as `formatCsv` writes it; empty lines are left out. @throws TableFault */
export const parseCsv = (text: string): CsvLine[] =>
  [...openCsv(text).rows()]
    .filter((row) => row !== undefined)
    .map(({ line, cells }) => ({ line, cells: cells.map(unguard) }))
