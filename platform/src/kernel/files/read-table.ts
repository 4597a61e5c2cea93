import {
  type CsvLine,
  type Delimiter,
  type ErrorCode,
  openCsv,
  TableFault,
  type TableLimits,
  type Text,
  unguard,
} from '@busbar/contract'
import { Failure } from '../http/failure.ts'
import { Slices } from '../slices.ts'

/** Cells of a row, and characters of a cell: more than any table of the product has (rules/calls.md: files). */
const cellsMax = 256
const charactersMax = 32_768

/** A table that a file brings: the names of its columns, and its rows. */
export interface Table {
  /** Whether it has a column; names are found in any case. */
  has(column: string): boolean
  /** The rows that are not empty, made from their cells one by one; others get their turn between two of them. */
  map<Row>(make: (row: TableRow) => Row): Promise<Row[]>
}

export interface TableRow {
  /** Its line in the file, from 1. */
  readonly line: number
  /** Whether it has cells behind the last column: a separator too many stands in one of them. */
  readonly isTooWide: boolean
  /** The text of a column; empty where the row or the file has none. */
  cell(column: string): string
  /** The same as it is written, for what no writer guards against formulas: codes and secrets. */
  exact(column: string): string
  /** The number of a column, also with a decimal comma; undefined for anything else, and for an empty cell. */
  number(column: string): number | undefined
  /** The yes or no of a column, in the words of any spreadsheet; undefined for anything else, and for an empty cell. */
  flag(column: string): boolean | undefined
}

export interface TableOptions {
  readonly rowsMax: number
  /** The failure of a file that exceeds a limit. */
  readonly refusal: ErrorCode
  /**
   * The names of each column, for files whose heading may be missing: then the columns are in this order. Other files have
   * their columns under one name each.
   */
  readonly columns?: Readonly<Record<string, readonly string[]>>
}

/**
 * Reads a file of people: its first row that is not empty names the columns. It stops at the first row beyond a limit,
 * and lets others have their turn between two rows. Read it before a transaction, because that would wait with it
 * (rules/calls.md: tables).
 * @throws Failure `refusal`, which names the limit and the line; TABLE_UNREADABLE, which names line and column
 */
export async function readTable(
  text: string,
  { rowsMax, refusal, columns = {} }: TableOptions,
): Promise<Table> {
  const slices = new Slices()
  // The names of the columns are a row as well.
  const limits: TableLimits = { rows: rowsMax + 1, cells: cellsMax, characters: charactersMax }
  const lines: CsvLine[] = []
  let delimiter: Delimiter = ','
  try {
    const csv = openCsv(text)
    delimiter = csv.delimiter
    for (const line of csv.rows(limits)) {
      if (line) lines.push(line)
      await slices.next()
    }
  } catch (error) {
    if (!(error instanceof TableFault)) throw error
    const { kind, line, column } = error
    throw kind === 'rows' || kind === 'cells' || kind === 'characters'
      ? new Failure(refusal, { text: tooLarge(kind, line, limits) })
      : new Failure('TABLE_UNREADABLE', { data: { line, column }, text: unreadable(error) })
  }
  const names = new Map(Object.entries(columns).flatMap(([name, own]) => own.map((one) => [one, name])))
  const [first = '', ...others] = Object.keys(columns)
  const isHeaded = first === '' || lines[0]?.cells.some((cell) => names.get(fold(cell)) === first)
  const heading = (isHeaded ? (lines.shift()?.cells ?? []) : [first, ...others]).map((name) =>
    fold(names.get(fold(name)) ?? name),
  )
  const twice = heading.find((name, place) => name !== '' && heading.indexOf(name) < place)
  if (twice !== undefined)
    throw new Failure('TABLE_UNREADABLE', {
      text: { cn: `文件中有多个“${twice}”列`, en: `The file has more than one column “${twice}”.` },
    })
  const places = new Map(heading.map((name, place) => [name, place]))
  return {
    has: (column) => places.has(fold(column)),
    async map(make) {
      const made: ReturnType<typeof make>[] = []
      for (const line of lines) {
        made.push(make(new Row(line, places, heading.length, delimiter)))
        await slices.next()
      }
      return made
    },
  }
}

const fold = (name: string): string => name.trim().toLowerCase()

class Row implements TableRow {
  readonly line: number
  readonly isTooWide: boolean
  readonly #cells: readonly string[]
  readonly #places: ReadonlyMap<string, number>
  readonly #delimiter: Delimiter

  constructor(
    { line, cells }: CsvLine,
    places: ReadonlyMap<string, number>,
    width: number,
    delimiter: Delimiter,
  ) {
    this.line = line
    this.isTooWide = cells.slice(width).some((cell) => cell.trim() !== '')
    this.#cells = cells
    this.#places = places
    this.#delimiter = delimiter
  }

  exact(column: string): string {
    const cell = this.#cells[this.#places.get(fold(column)) ?? -1] ?? ''
    // A program put it in place of what it could not read: the text behind it is lost.
    if (cell.includes('\uFFFD')) throw new Failure('TABLE_UNREADABLE', lost(this.line, column))
    return cell
  }

  cell(column: string): string {
    return unguard(this.exact(column))
  }

  number(column: string): number | undefined {
    return parseNumber(this.cell(column).trim(), this.#delimiter)
  }

  flag(column: string): boolean | undefined {
    const word = this.cell(column).trim().toLowerCase()
    if (yes.has(word)) return true
    return no.has(word) ? false : undefined
  }
}

const point = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const comma = /^[+-]?(?:\d+|\d*,\d+)(?:e[+-]?\d+)?$/i
const thousand = /^[+-]?\d{1,3},\d{3}$/

/**
 * A number as a spreadsheet writes it. Where semicolons separate cells a comma is a decimal one; with tabs, which
 * spreadsheets of every country write, `1,234` could be either and is refused.
 */
export function parseNumber(text: string, delimiter: Delimiter): number | undefined {
  if (point.test(text)) return Number(text)
  if (delimiter === ',' || !comma.test(text)) return undefined
  return delimiter === '\t' && thousand.test(text) ? undefined : Number(text.replace(',', '.'))
}

/** The words that Excel writes for `true` and `false` in its languages, and those of people. */
const yes = new Set(
  'true 1 yes wahr ja vrai oui verdadero sí vero verdadeiro waar prawda истина pravda igaz doğru sant sand sann tosi 是'.split(
    ' ',
  ),
)
const no = new Set(
  'false 0 no falsch nein faux non falso onwaar fałsz ложь nepravda hamis yanlış falskt falsk usann epätosi 否'.split(
    ' ',
  ),
)

const lost = (line: number, column: string) => ({
  data: { line },
  text: {
    cn: `第 ${line} 行“${column}”列有字符在保存时已丢失（�），请从原文件重新保存`,
    en: `Line ${line}, column “${column}”: a character was lost when the file was saved (�). Save it again from the original.`,
  },
})

const unreadable = ({ kind, line, column }: TableFault): Text =>
  kind === 'quote'
    ? {
        cn: `第 ${line} 行第 ${column} 个字符处的引号没有结束`,
        en: `Line ${line}, character ${column}: this quote is never closed.`,
      }
    : {
        cn: `第 ${line} 行第 ${column} 个字符无法识别`,
        en: `Line ${line}, character ${column} can’t be read.`,
      }

function tooLarge(limit: keyof TableLimits, line: number, limits: TableLimits): Text {
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
