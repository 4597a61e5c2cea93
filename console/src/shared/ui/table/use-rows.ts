import { useMemo } from 'react'
import type { CellValue } from './cell-value.ts'
import { compareValues, isSorted, type TableColumn, type TableSort } from './column.ts'
import { type Filter, type Filters, passesFilter, passesSearch } from './filter.ts'
import { shownColumns } from './shown-columns.ts'
import { isWhole, type TableSource } from './table-source.ts'
import type { TableView } from './use-table-view.ts'

/** A filter of the list as a whole, which belongs to no column. */
export interface ListFilter<Row> {
  readonly id: string
  readonly title: string
  readonly filter: Filter
  /** The value that is compared, if the list is filtered here. */
  readonly value?: (row: Row) => CellValue
}

interface RowsOptions<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly filters: readonly ListFilter<Row>[]
  readonly source: TableSource<Row>
  readonly view: TableView
  readonly locale: string
  /** Further texts by which a search finds a row. */
  readonly searched: ((row: Row) => readonly CellValue[]) | undefined
}

export interface ShownRows<Row> {
  /** In the order of display. */
  readonly rows: readonly Row[]
  /** The columns that are shown, pinned ones at their edges. */
  readonly columns: readonly TableColumn<Row>[]
}

const noRows: readonly never[] = []

/** The rows and columns that a person sees of a list. A list of pages arrives searched and filtered. */
export function useRows<Row>(options: RowsOptions<Row>): ShownRows<Row> {
  const { columns, filters, source, view, locale, searched } = options
  const { ask, settings } = view
  const search = view.typed.trim()
  const all = source.rows ?? noRows
  const isPaged = source.page !== undefined
  // `searched` is a function of the row alone; a list that renders again passes an equal one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const found = useMemo(() => {
    if (isPaged) return all
    const matches = filterBy([...columns, ...filters], ask.filters)
    return all.filter(
      (row) => matches(row) && (search === '' || passesSearch([wordsOf(columns, row, searched)], search)),
    )
  }, [all, isPaged, columns, filters, ask.filters, search])
  const sort = isWhole(source) ? ask.sort : null
  return {
    rows: useMemo(() => sortRows(found, columns, sort, locale), [found, columns, sort, locale]),
    columns: useMemo(() => shownColumns(columns, settings), [columns, settings]),
  }
}

type Valued<Row> = Pick<ListFilter<Row>, 'id' | 'value'>

/** Whether a row passes the filters; one of no column and of no list narrows nothing. */
function filterBy<Row>(valued: readonly Valued<Row>[], asked: Filters): (row: Row) => boolean {
  const checks = valued.flatMap(({ id, value }) => {
    const filter = asked[id]
    return filter ? [(row: Row) => passesFilter(value?.(row), filter)] : []
  })
  return (row) => checks.every((check) => check(row))
}

/** The words of a row: texts only, because a search for 3 should not find a count. */
function wordsOf<Row>(
  columns: readonly TableColumn<Row>[],
  row: Row,
  searched: ((row: Row) => readonly CellValue[]) | undefined,
): string {
  const values = [...columns.map(({ value }) => value?.(row)), ...(searched?.(row) ?? [])]
  return values.filter((value) => typeof value === 'string').join('\n')
}

/** The rows by the values of one column, each of which is read once; rows of equal values keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  sort: TableSort | null,
  locale: string,
): readonly Row[] {
  const value = columns.find((column) => column.id === sort?.columnId && isSorted(column))?.value
  if (!sort || !value) return rows
  return rows
    .map((row) => [row, value(row)] as const)
    .sort(([, a], [, b]) => compareValues(a, b, locale, sort.isDescending))
    .map(([row]) => row)
}
