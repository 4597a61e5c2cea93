import type { CsvCell } from '@busbar/contract'
import type { ReactNode } from 'react'
import { emptyMark, formatDate, formatMinute, formatNumber } from '../i18n/index.ts'
import { timeCell } from '../ui/data/csv.ts'
import { RelativeTime } from '../ui/data/relative-time.tsx'
import { PersonName } from '../ui/people/person-name.tsx'
import type { CellValue } from '../ui/table/cell-value.ts'
import { ExactTime, Lines, NameCell, PlainCell } from '../ui/table/cells.tsx'
import type { TableColumn } from '../ui/table/column.ts'
import type { Filter } from '../ui/table/filter.ts'
import type { TableAsk } from '../ui/table/use-table-view.ts'
import { Tag, type TagTone } from '../ui/tag.tsx'
import { type FieldOf, type OrderOf, type Reading, readerOf, type Wish } from './rows.ts'

/** The settings of every column. Most have a default by the column's kind and position. */
interface Column<Row, Request>
  extends Partial<Pick<TableColumn<Row>, 'width' | 'grow' | 'rank' | 'card' | 'hint' | 'isHiddenFirst'>> {
  /** Without it the list's `titles` have it. */
  readonly title?: string
  /** The column by which the platform sorts pages; a list that is loaded as a whole is sorted by every column. */
  readonly order?: OrderOf<Request>
  /** Under the value, smaller. */
  readonly minor?: (row: Row) => ReactNode
  /** In place of what its kind draws. */
  readonly cell?: (row: Row) => ReactNode
  readonly csv?: TableColumn<Row>['csv']
}

/** The name by which people know a row. */
export interface NameColumn<Row, Request> extends Column<Row, Request> {
  /** A person has their sign before it. */
  readonly kind: 'name' | 'person'
  readonly value: Reading<Row, string>
  /** Beside the name. */
  readonly tags?: (row: Row) => ReactNode
  /** Before the name: a picture. */
  readonly before?: (row: Row) => ReactNode
}

export interface TextColumn<Row, Request> extends Column<Row, Request> {
  readonly kind: 'text'
  readonly value: Reading<Row, CellValue>
  /** Compares the values themselves. */
  readonly filter?: Filter
}

interface CountColumn<Row, Request> extends Column<Row, Request> {
  readonly kind: 'count'
  readonly value: Reading<Row, number | null>
  /** The number with its noun. */
  readonly words?: (count: number, row: Row) => string
}

/** Epoch milliseconds. */
interface TimeColumn<Row, Request> extends Column<Row, Request> {
  readonly kind: 'time'
  readonly value: Reading<Row, number | null>
  /** `exact` to the second, where people compare. */
  readonly as?: 'exact' | 'minute' | 'day' | 'ago'
  /** The word for a time that is missing. */
  readonly none?: string
  /** The word for an end that is missing, which stands after all others. */
  readonly endless?: string
  /** Filters by a range: its fields in the request. */
  readonly between?: readonly [from: keyof Request & string, to: keyof Request & string]
}

interface StateWords<State extends string> {
  /** The word for each state. */
  readonly words: Readonly<Record<State, string>>
  /** The states that are drawn as a tag, in the colour of their meaning; the others are plain words. */
  readonly tones?: Readonly<Partial<Record<State, TagTone>>>
}

/** One of a few values of a field, whose words are complete by type. */
type StateColumn<Row, Request> = Column<Row, Request> & {
  readonly kind: 'state'
  /** Filters by its words; `one`: by one at a time, as the platform takes it. */
  readonly filter?: 'one' | 'several'
} & {
    [Field in FieldOf<Row, string>]: { readonly value: Field } & StateWords<Row[Field] & string>
  }[FieldOf<Row, string>]

export type ListColumn<Row, Request> =
  | NameColumn<Row, Request>
  | TextColumn<Row, Request>
  | CountColumn<Row, Request>
  | TimeColumn<Row, Request>
  | StateColumn<Row, Request>

/** Pixels, and the share of what is left. */
const sizes = {
  name: { width: 170, grow: 1.6 },
  /** With their sign. */
  person: { width: 210, grow: 1.6 },
  text: { width: 140, grow: 1 },
  count: { width: 100 },
  state: { width: 120 },
  exact: { width: 178 },
  minute: { width: 150 },
  day: { width: 110 },
  ago: { width: 110 },
} as const

const drawTime: Readonly<Record<NonNullable<TimeColumn<unknown, unknown>['as']>, (at: number) => ReactNode>> =
  {
    exact: (at) => <ExactTime at={at} />,
    minute: formatMinute,
    day: formatDate,
    ago: (at) => <RelativeTime at={at} />,
  }

/** The column as a table draws it. `place`: its position, which is its rank where it has none. */
export function tableColumn<Row, Request>(
  id: string,
  title: string,
  place: number,
  column: ListColumn<Row, Request>,
): TableColumn<Row> {
  const { width, grow, rank, card, hint, isHiddenFirst, order } = column
  const drawn = drawnOf(column)
  const isName = column.kind === 'name' || column.kind === 'person'
  const cell = column.cell ?? drawn.cell
  return {
    ...{ id, title, rank: rank ?? Math.max(place + 1, 2) },
    kind: column.kind,
    ...drawn,
    ...(width !== undefined && { width }),
    ...(grow !== undefined && { grow }),
    ...(isName && { rank: rank ?? 0 }),
    // A name that stands first stays in sight while the others scroll.
    ...(isName && place === 0 && { pinned: 'start' as const }),
    ...(card !== undefined && { card }),
    ...(hint !== undefined && { hint }),
    ...(isHiddenFirst !== undefined && { isHiddenFirst }),
    ...(order !== undefined && { sort: 'platform' }),
    ...(column.csv !== undefined && { csv: column.csv }),
    ...(cell && { cell: isName ? cell : withMinor(cell, column.minor) }),
  }
}

type Drawn<Row> = Pick<TableColumn<Row>, 'width'> &
  Partial<Pick<TableColumn<Row>, 'grow' | 'pinned' | 'card' | 'value' | 'csv' | 'filter'>> & {
    readonly cell?: (row: Row) => ReactNode
  }

/** The look of a column by its kind. */
function drawnOf<Row, Request>(column: ListColumn<Row, Request>): Drawn<Row> {
  switch (column.kind) {
    case 'name':
    case 'person': {
      const value = readerOf(column.value)
      const { minor, tags, before } = column
      return {
        ...sizes[column.kind],
        ...{ card: 'name', value },
        cell: (row) => {
          const parts = { name: value(row), minor: minor?.(row), tags: tags?.(row) }
          return column.kind === 'person' ? (
            <PersonName {...parts} />
          ) : (
            <NameCell {...parts} before={before?.(row)} />
          )
        },
      }
    }
    case 'text': {
      const value = readerOf(column.value)
      return {
        ...sizes.text,
        value,
        ...(column.filter && { filter: column.filter }),
        ...(column.minor && { cell: (row) => <PlainCell value={value(row)} /> }),
      }
    }
    case 'count': {
      const { words } = column
      const value = readerOf(column.value)
      return {
        ...sizes.count,
        value,
        cell: (row) => {
          const count = value(row)
          if (count === null) return emptyMark
          return words ? words(count, row) : formatNumber(count)
        },
      }
    }
    case 'time':
      return drawnTime(column)
    case 'state': {
      const value: (row: Row) => string = readerOf<Row, string>(column.value as Reading<Row, string>)
      const words: Readonly<Record<string, string>> = column.words
      const tones: Readonly<Partial<Record<string, TagTone>>> = column.tones ?? {}
      const wordOf = (row: Row) => words[value(row)] ?? value(row)
      return {
        ...sizes.state,
        // A filter compares the states themselves.
        value: column.filter ? value : wordOf,
        ...(column.filter && {
          csv: wordOf,
          filter: { kind: 'choice', choices: words, isSingle: column.filter === 'one' },
        }),
        cell: (row) => {
          const tone = tones[value(row)]
          return tone ? <Tag tone={tone}>{wordOf(row)}</Tag> : wordOf(row)
        },
      }
    }
  }
}

function drawnTime<Row, Request>(column: TimeColumn<Row, Request>): Drawn<Row> {
  const { as = 'exact', none, endless, between } = column
  const value = readerOf(column.value)
  const draw = drawTime[as]
  return {
    ...sizes[as],
    value: endless === undefined ? value : (row) => value(row) ?? Number.MAX_SAFE_INTEGER,
    csv: (row): CsvCell => {
      const at = value(row)
      return at === null ? (endless ?? none ?? null) : timeCell(at)
    },
    ...(between && { filter: { kind: 'dateRange' } }),
    cell: (row) => {
      const at = value(row)
      if (at !== null) return draw(at)
      return endless ?? none ?? (as === 'ago' ? <RelativeTime at={null} /> : emptyMark)
    },
  }
}

/** A cell with a second line where the column has one. */
function withMinor<Row>(
  cell: (row: Row) => ReactNode,
  minor: ((row: Row) => ReactNode) | undefined,
): (row: Row) => ReactNode {
  return minor ? (row) => <Lines main={cell(row)} minor={minor(row)} /> : cell
}

/**
 * The fields of a request for a person's filters and order. A list's own filter has the name of its field; a column that
 * the platform does not sort by is sorted here.
 */
export function wishOf<Row, Request>(
  { sort, filters }: TableAsk,
  columns: Readonly<Record<string, ListColumn<Row, Request>>>,
): Wish {
  const wish: Record<string, unknown> = {}
  const order = sort && columns[sort.columnId]?.order
  if (order) Object.assign(wish, { sort: order, order: sort.isDescending ? 'desc' : 'asc' })
  for (const [name, value] of Object.entries(filters)) {
    const column = columns[name]
    if (value.kind === 'choice') wish[name] = value.chosen[0]
    else if (value.kind === 'dateRange' && column?.kind === 'time' && column.between) {
      const [from, to] = column.between
      Object.assign(wish, { [from]: value.from, [to]: value.to })
    }
  }
  return wish
}
