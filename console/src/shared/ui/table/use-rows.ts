import {
  type ColumnDef,
  columnFilteringFeature,
  createFilteredRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { RowKey } from '../data/virtual-grid.tsx'
import type { CellValue } from './cell-value.ts'
import { compareValues, type TableColumn } from './column.ts'
import { type Filter, type FilterValue, passesFilter, passesSearch } from './filter.ts'
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

const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
})

/** A column that is never drawn: the words of a row that a search looks through. */
const searchedId = 'searched'

const noRows: readonly never[] = []

interface RowsOptions<Row, Key extends RowKey> {
  readonly columns: readonly TableColumn<Row>[]
  readonly filters: readonly ListFilter<Row>[]
  readonly source: TableSource<Row>
  readonly view: TableView
  readonly rowKey: (row: Row) => Key
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

/** The rows and columns that a person sees of a list, by TanStack Table's models. */
export function useRows<Row, Key extends RowKey>(options: RowsOptions<Row, Key>): ShownRows<Row> {
  const { columns, filters, source, view, rowKey, locale, searched } = options
  const { ask, typed, settings } = view
  const isPaged = source.page !== undefined
  // `searched` is a function of the row alone; a list that renders again passes an equal one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const definitions = useMemo(
    () => definitionsOf(columns, filters, locale, searched),
    [columns, filters, locale],
  )
  const { sort } = ask
  const state = useMemo(
    () => ({
      sorting: sort ? [{ id: sort.columnId, desc: sort.isDescending }] : [],
      columnFilters: Object.entries(ask.filters).map(([id, value]) => ({ id, value })),
      globalFilter: typed.trim(),
    }),
    [sort, ask.filters, typed],
  )
  const table = useTable<typeof features, { row: Row }>({
    features,
    columns: definitions,
    data: useMemo(() => (source.rows ?? noRows).map((row) => ({ row })), [source.rows]),
    getRowId: ({ row }) => String(rowKey(row)),
    state,
    manualFiltering: isPaged,
    manualSorting: !isWhole(source),
    enableGlobalFilter: true,
    getColumnCanGlobalFilter: ({ id }) => id === searchedId,
    globalFilterFn: (row, id, search: string) => passesSearch([row.getValue<CellValue>(id)], search),
  })
  const model = table.getRowModel()
  return {
    rows: useMemo(() => model.rows.map(({ original }) => original.row), [model]),
    columns: useMemo(() => shownColumns(columns, settings), [columns, settings]),
  }
}

type Definition<Row> = ColumnDef<typeof features, { row: Row }, unknown>

function definitionsOf<Row>(
  columns: readonly TableColumn<Row>[],
  filters: readonly ListFilter<Row>[],
  locale: string,
  searched: ((row: Row) => readonly CellValue[]) | undefined,
): Definition<Row>[] {
  const define = (id: string, value: ((row: Row) => CellValue) | undefined, isSortable: boolean) => ({
    id,
    // An empty value is undefined: those stand last, whichever way the list is sorted.
    accessorFn: ({ row }: { row: Row }) => {
      const found = value?.(row)
      return found === null || found === '' ? undefined : found
    },
    enableSorting: isSortable,
    sortUndefined: 'last' as const,
    sortFn: (a: Valued, b: Valued) => compareValues(a.getValue(id), b.getValue(id), locale),
    filterFn: (row: Valued, _: string, filter: FilterValue) => passesFilter(row.getValue(id), filter),
  })
  return [
    ...columns.map(({ id, value, sort }) => define(id, value, sort !== false && value !== undefined)),
    ...filters.map(({ id, value }) => define(id, value, false)),
    define(searchedId, (row) => wordsOf(columns, row, searched), false),
  ]
}

interface Valued {
  getValue<T>(columnId: string): T
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
