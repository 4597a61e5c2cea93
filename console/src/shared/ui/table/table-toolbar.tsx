import type { ReactNode, Ref } from 'react'
import { formatNumber, useText } from '../../i18n/index.ts'
import { Button } from '../button.tsx'
import { classes } from '../classes.ts'
import { Row, Stack } from '../layout/layout.tsx'
import { Popover } from '../popover/popover.tsx'
import { SearchField } from '../search-field.tsx'
import type { TableColumn } from './column.ts'
import { ExportButton } from './export-button.tsx'
import { FilterControl } from './filter-control.tsx'
import type { TableSource } from './table-source.ts'
import css from './table-toolbar.module.css'
import type { ListFilter, ShownRows } from './use-rows.ts'
import type { TableView } from './use-table-view.ts'

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
  /** A control that narrows the list beside those of its columns, and whether it does. */
  alsoBy?: { readonly control: ReactNode; readonly isSet: boolean } | undefined
  /** At its end. */
  children: ReactNode
}

/** Fewer rows are found at a glance. */
const searchFrom = 8

const isNarrowedBy = ({ typed, ask }: TableView) => typed !== '' || Object.keys(ask.filters).length > 0

const hasSearch = ({ rows, page }: TableSource<unknown>, { typed }: TableView) =>
  page !== undefined || (rows?.length ?? 0) >= searchFrom || typed !== ''

function offeredFilters<Row>(columns: readonly TableColumn<Row>[], filters: readonly ListFilter<Row>[]) {
  return [...filters, ...columns.flatMap(({ id, title, filter }) => (filter ? [{ id, title, filter }] : []))]
}

interface ToolbarNeed<Row> {
  readonly view: TableView
  readonly source: TableSource<Row>
  readonly columns: readonly TableColumn<Row>[]
  readonly filters: readonly ListFilter<Row>[]
  readonly search: string | undefined
}

/** Whether a list needs a toolbar: not if there is nothing to narrow. */
export function needsToolbar<Row>({ view, source, columns, filters, search }: ToolbarNeed<Row>): boolean {
  if (isNarrowedBy(view)) return true
  if (source.rows?.length === 0 && source.page === undefined) return false
  const isSearched = search !== undefined && hasSearch(source, view)
  return isSearched || offeredFilters(columns, filters).length > 0
}

/**
 * The controls that narrow a list and change how it is shown. On a phone it stays in sight while the cards
 * scroll.
 */
export function TableToolbar<Row>(props: TableToolbarProps<Row>) {
  const { view, source, columns, filters, shown, search, searchRef, fileName, isCards, alsoBy } = props
  const t = useText().table
  const offered = offeredFilters(columns, filters)
  const isSearched = search !== undefined && hasSearch(source, view)
  const setCount =
    offered.filter(({ id }) => view.ask.filters[id] !== undefined).length + (alsoBy?.isSet ? 1 : 0)
  const controls = (
    <>
      {alsoBy?.control}
      {offered.map(({ id, title, filter }) => (
        <FilterControl
          key={id}
          title={title}
          filter={filter}
          value={view.ask.filters[id]}
          onChange={(value) => view.setFilter(id, value)}
        />
      ))}
    </>
  )
  return (
    <Row
      padX={isCards ? undefined : 16}
      padY={10}
      gap={8}
      wraps
      fixed
      className={classes(isCards && css.sticky)}
    >
      {isSearched && (
        <SearchField
          ref={searchRef}
          label={search}
          value={view.typed}
          onChange={view.type}
          className={css.search}
        />
      )}
      {isCards && (offered.length > 0 || alsoBy) ? (
        <Popover
          label={t.filters}
          trigger={
            <Button size="small">{setCount === 0 ? t.filters : t.filtersSet(formatNumber(setCount))}</Button>
          }
        >
          <Stack pad={16} gap={12} align="start">
            {controls}
          </Stack>
        </Popover>
      ) : (
        controls
      )}
      {view.isChanged && (
        <button type="button" className={css.clear} onClick={view.clear}>
          {t.clearFilter}
        </button>
      )}
      <Row gap={8} fixed last>
        {fileName !== undefined && <ExportButton source={source} shown={shown} fileName={fileName} />}
        {props.children}
      </Row>
    </Row>
  )
}
