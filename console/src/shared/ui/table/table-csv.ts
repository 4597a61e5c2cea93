import type { CsvCell } from '@busbar/contract'
import { formatTable } from '../data/csv.ts'
import type { CellValue } from './cell-value.ts'
import type { TableColumn } from './column.ts'

/** The rows as a file for a spreadsheet, with the columns that are shown; a text that looks like a formula stays a text. */
export function formatRows<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  const exported = columns.filter((column) => column.csv !== false && (column.csv ?? column.value))
  return formatTable([
    exported.map(({ title }) => title),
    ...rows.map((row) => exported.map((column) => cellOf(column, row))),
  ])
}

function cellOf<Row>({ csv, value }: TableColumn<Row>, row: Row): CsvCell {
  if (csv) return csv(row)
  return exactOf(value?.(row))
}

function exactOf(value: CellValue): CsvCell {
  if (value === null || value === undefined) return null
  return typeof value === 'boolean' ? { exact: String(value) } : value
}
