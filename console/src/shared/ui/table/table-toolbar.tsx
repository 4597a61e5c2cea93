import type { Ref } from 'react'
import { useText } from '../../i18n/index.ts'
import { classes } from '../classes.ts'
import { SearchField } from '../search-field.tsx'
import type { TableColumn } from './column.ts'
import { ExportButton } from './export-button.tsx'
import { FilterControl } from './filter-control.tsx'
import type { TableSource } from './table-source.ts'
import css from './table-toolbar.module.css'
import type { ListFilter, ShownRows } from './use-rows.ts'
import type { TableView } from './use-table-view.ts'
import { type Density, ViewOptions } from './view-options.tsx'

interface TableToolbarProps<Row> {
  view: TableView
  source: TableSource<Row>
  columns: readonly TableColumn<Row>[]
  filters: readonly ListFilter<Row>[]
  shown: ShownRows<Row>
  search: string | undefined
  searchRef: Ref<HTMLInputElement>
  fileName: string | undefined
  isCards: boolean
  density: Density
  onDensity: (density: Density) => void
}

/** Fewer rows are found at a glance. */
const searchFrom = 8

/** What narrows a list, and how it is shown. On a phone it stays in sight while the cards scroll. */
export function TableToolbar<Row>(props: TableToolbarProps<Row>) {
  const { view, source, columns, filters, shown, search, searchRef, fileName, isCards } = props
  const t = useText().table
  const { rows, page } = source
  const offered = [
    ...filters,
    ...columns.flatMap(({ id, title, filter }) => (filter ? [{ id, title, filter }] : [])),
  ]
  const isNarrowed = view.typed !== '' || Object.keys(view.ask.filters).length > 0
  const isSearched =
    search !== undefined && (page !== undefined || (rows?.length ?? 0) >= searchFrom || view.typed !== '')
  const isEmpty = rows?.length === 0 && !isNarrowed
  if (isEmpty && offered.length === 0 && !isSearched) return <div className={css.none} />
  return (
    <div className={classes(css.toolbar, isCards && css.sticky)}>
      {isSearched && (
        <SearchField
          ref={searchRef}
          label={search}
          value={view.typed}
          onChange={view.type}
          className={css.search}
        />
      )}
      {offered.map(({ id, title, filter }) => (
        <FilterControl
          key={id}
          title={title}
          filter={filter}
          value={view.ask.filters[id]}
          onChange={(value) => view.setFilter(id, value)}
        />
      ))}
      {isNarrowed && (
        <button type="button" className={css.clear} onClick={view.clear}>
          {t.clearFilter}
        </button>
      )}
      <span className={css.space} />
      {fileName !== undefined && <ExportButton source={source} shown={shown} fileName={fileName} />}
      <ViewOptions
        columns={columns}
        view={view}
        canSort={(column) => column.sort !== false && column.value !== undefined}
        isCards={isCards}
        density={props.density}
        onDensity={props.onDensity}
      />
    </div>
  )
}
