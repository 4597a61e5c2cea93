import {
  type CsvLimits,
  type CsvLine,
  CsvTooLarge,
  type ErrorCode,
  readCsvRows,
  type Text,
} from '@busbar/contract'
import { Failure } from '../http/failure.ts'
import { Slices } from '../slices.ts'

/** Cells of a row, and characters of a cell: more than any table of the product has (rules/calls.md: files). */
const cellsMax = 256
const charactersMax = 32_768

/** A table that a file brings: the names of its columns, and its rows. */
export interface Table {
  /** Whether it has a column. */
  has(column: string): boolean
  /** The rows that are not empty, made from their cells one by one; others get their turn between two of them. */
  map<Row>(make: (row: TableRow) => Row): Promise<Row[]>
}

export interface TableRow {
  /** Its line in the file, from 1. */
  readonly line: number
  /** The text of a column; empty where the row or the file has none. */
  cell(column: string): string
}

/**
 * Reads a file of people: its first row that is not empty names the columns. It stops at the first row beyond a limit,
 * and lets others have their turn between two rows. Read it before a transaction, because that would wait with it.
 * @throws Failure `refusal`, which names the limit and the line
 */
export async function readTable(
  text: string,
  { rowsMax, refusal }: { readonly rowsMax: number; readonly refusal: ErrorCode },
): Promise<Table> {
  const slices = new Slices()
  // The names of the columns are a row as well.
  const limits: CsvLimits = { rows: rowsMax + 1, cells: cellsMax, characters: charactersMax }
  const lines: CsvLine[] = []
  try {
    for (const line of readCsvRows(text, limits)) {
      if (line) lines.push(line)
      await slices.next()
    }
  } catch (error) {
    throw error instanceof CsvTooLarge ? new Failure(refusal, { text: tooLarge(error, limits) }) : error
  }
  const [heading, ...rows] = lines
  const places = new Map(heading?.cells.map((name, place) => [name.trim(), place]))
  return {
    has: (column) => places.has(column),
    async map(make) {
      const made: ReturnType<typeof make>[] = []
      for (const { line, cells } of rows) {
        made.push(make({ line, cell: (column) => cells[places.get(column) ?? -1] ?? '' }))
        await slices.next()
      }
      return made
    },
  }
}

function tooLarge({ limit, line }: CsvTooLarge, limits: CsvLimits): Text {
  const most = (limit === 'rows' ? limits.rows - 1 : limits[limit]).toLocaleString('en')
  switch (limit) {
    case 'rows':
      return {
        cn: `文件超过 ${most} 行，请拆分为多个文件`,
        en: `The file has more than ${most} rows. Split it into several files.`,
      }
    case 'cells':
      return {
        cn: `第 ${line} 行超过 ${most} 列，请检查文件的分隔符`,
        en: `Line ${line} has more than ${most} columns. Check the separators of the file.`,
      }
    case 'characters':
      return {
        cn: `第 ${line} 行有单元格超过 ${most} 个字符，请检查文件的引号`,
        en: `Line ${line} has a cell with more than ${most} characters. Check the quotes of the file.`,
      }
  }
}
