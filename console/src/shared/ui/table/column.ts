import type { CsvCell } from '@busbar/contract'
import type { ReactNode } from 'react'
import type { RowState } from '../data/virtual-grid.tsx'
import type { CellValue } from './cell-value.ts'
import type { Filter } from './filter.ts'

/** The kind of a column. A name, a time and the acts of a row are never cut: people decide by them. */
export type ColumnKind = 'name' | 'person' | 'text' | 'count' | 'time' | 'state' | 'acts'

export interface TableColumn<Row> {
  readonly id: string
  readonly title: string
  readonly kind?: ColumnKind
  /** The title is only for screen readers. */
  readonly isTitleHidden?: boolean
  /** The text of a tip on the header. */
  readonly hint?: string
  /** Least width in pixels. */
  readonly width: number
  /** Its share of the remaining width; without it the column keeps its least width. */
  readonly grow?: number
  /** When space is short, the highest rank is hidden first; 0 and 1 (the name, the actions) always stay. */
  readonly rank: number
  readonly value?: (row: Row) => CellValue
  /** Without it the cell shows `value` as a text. */
  readonly cell?: (row: Row, state: RowState) => ReactNode
  /**
   * A column with a `value` can be sorted if the whole list is loaded, unless this is false; in a list of
   * pages only one that the platform sorts by.
   */
  readonly sort?: false | 'platform'
  readonly filter?: Filter
  /** The value in an exported file; `value` by default. False: the column is not exported. */
  readonly csv?: ((row: Row) => CsvCell) | false
  /** The edge at which it stays while the others scroll, until a person decides. */
  readonly pinned?: 'start' | 'end'
  /** False: a person cannot hide it. */
  readonly hideable?: false
  /** Hidden until a person shows it. */
  readonly isHiddenFirst?: boolean
  /**
   * Its position in the card of a narrow screen; by default half a line with its title, which a plain and a
   * half one omit. Actions stand beside the name, or at the foot if their buttons need a line.
   */
  readonly card?: 'name' | 'actions' | 'foot' | 'plain' | 'half' | 'none'
}

/** The column with the buttons of a row: always there, at the end, in no file. */
export function actionsColumn<Row>(
  title: string,
  width: number,
  cell: (row: Row, state: RowState) => ReactNode,
  card: 'actions' | 'foot' = 'actions',
): TableColumn<Row> {
  return {
    id: 'actions',
    kind: 'acts',
    title,
    isTitleHidden: true,
    width,
    rank: 1,
    sort: false,
    csv: false,
    pinned: 'end',
    hideable: false,
    card,
    cell,
  }
}

/** Whether a column can order a list that is loaded as a whole. */
export const isSorted = <Row>({ sort, value }: TableColumn<Row>): boolean =>
  sort !== false && value !== undefined

export interface TableSort {
  readonly columnId: string
  readonly isDescending: boolean
}

/** The order after a press on a column's header: ascending, descending, then the list's own order. */
export function nextSort(sort: TableSort | null, columnId: string): TableSort | null {
  if (sort?.columnId !== columnId) return { columnId, isDescending: false }
  return sort.isDescending ? null : { columnId, isDescending: true }
}

const collators = new Map<string, Intl.Collator>()

/** Compares as people of a language order: numbers within texts by their value, empty values last either way. */
export function compareValues(a: CellValue, b: CellValue, locale: string, isDescending = false): number {
  const isNone = (value: CellValue) => value === null || value === undefined || value === ''
  if (isNone(a) || isNone(b)) return Number(isNone(a)) - Number(isNone(b))
  if (isDescending) return compareValues(b, a, locale)
  if (typeof a === 'string' || typeof b === 'string') return collatorOf(locale).compare(String(a), String(b))
  return Number(a) - Number(b)
}

function collatorOf(locale: string): Intl.Collator {
  let collator = collators.get(locale)
  if (!collator) {
    collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
    collators.set(locale, collator)
  }
  return collator
}
