import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { formatNumber, useLang, useText } from '../../i18n/index.ts'
import { usePreferences } from '../../session/preferences.ts'
import { classes } from '../classes.ts'
import { useWidth } from '../data/use-width.ts'
import { type RowKey, VirtualGrid, type VirtualGridHandle } from '../data/virtual-grid.tsx'
import { Box, Row, Stack, Text } from '../layout/layout.tsx'
import { useListOnPage } from '../list-on-page.ts'
import { Pager } from '../pager.tsx'
import type { CellValue } from './cell-value.ts'
import { isSorted, nextSort, type TableColumn } from './column.ts'
import css from './data-table.module.css'
import { ExportButton } from './export-button.tsx'
import { gridColumns } from './grid-columns.tsx'
import { clampWidth } from './settings.ts'
import { TableCards } from './table-cards.tsx'
import { TableCount } from './table-count.tsx'
import { isWhole, type TableSource } from './table-source.ts'
import { type EmptyWords, TableEmpty } from './table-states.tsx'
import { needsToolbar, TableToolbar } from './table-toolbar.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { type ListFilter, useRows } from './use-rows.ts'
import { useSelection } from './use-selection.tsx'
import { useTableKeys } from './use-table-keys.ts'
import type { TableView } from './use-table-view.ts'
import { ViewOptions } from './view-options.tsx'

export interface DataTableProps<Row, Key extends RowKey> {
  title: string
  /** The page shows the title, so here it is only for screen readers. */
  isTitleHidden?: boolean
  /** One sentence that says what the list is for. */
  lead?: ReactNode
  view: TableView
  source: TableSource<Row>
  columns: readonly TableColumn<Row>[]
  rowKey: (row: Row) => Key
  /** The name of a row, for its checkbox and its card. */
  rowName: (row: Row) => string
  /** Filters that belong to no column. */
  filters?: readonly ListFilter<Row>[]
  /** A control in the bar that narrows the list beside the filters of columns, and whether it does. */
  alsoBy?: { readonly control: ReactNode; readonly isSet: boolean }
  /** The name of the search field; without it nothing is searched. */
  search?: string
  /** Further texts by which a search finds a row. */
  searched?: (row: Row) => readonly CellValue[]
  /** Opens a row: by a press, or by Enter. */
  onOpen?: (row: Row) => void
  /** The row that is open beside the list. */
  openKey?: Key | null
  /** Buttons of the bar that appears while rows are selected; with it, rows can be selected. */
  bulk?: (rows: readonly Row[]) => ReactNode
  /** Rows can be selected without such a bar: what follows from it is around the list. */
  picks?: 'one' | 'several'
  /** Shown while the list is completely empty. */
  empty: EmptyWords
  /** The name of the exported file, without its ending; without it nothing is exported. */
  fileName?: string
  rowClass?: (row: Row) => string | undefined
  /** J, K, Enter and / work wherever the focus is; false for a list beside the page's own. */
  hasKeys?: boolean
  /** Beside the title, after the count. */
  note?: ReactNode
  /** Buttons of the list, the primary one last. */
  actions?: ReactNode
  /** Under the rows. */
  children?: ReactNode
}

/** Row heights with two lines of text, and with one. Pixels. */
const rowHeights = { normal: 46, compact: 32 }
const waitingRows = 6
/** A narrower list shows its rows as cards. Pixels. */
const cardsBelow = 480
const noFilters: readonly never[] = []

/**
 * A list: searched, filtered, sorted, arranged, exported, its rows selected; by the platform page by page, or here as a
 * whole. Narrow, its rows are cards.
 */
export function DataTable<Row, Key extends RowKey = number>(props: DataTableProps<Row, Key>) {
  const { title, lead, view, source, columns, rowKey, rowName, filters = noFilters, onOpen, bulk } = props
  const t = useText().table
  const lang = useLang()
  const titleId = useId()
  const grid = useRef<VirtualGridHandle<Key>>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const [panel, width] = useWidth<HTMLElement>()
  const { rowDensity = 'normal' } = usePreferences()
  const [activeKey, setActiveKey] = useState<Key | null>(null)

  const shown = useRows({
    ...{ columns, filters, source, view },
    locale: lang === 'cn' ? 'zh-CN' : 'en',
    searched: props.searched,
  })
  const { rows } = shown
  const { page } = source
  const { selected } = view
  const order = useMemo(() => rows.map(rowKey), [rows, rowKey])
  const isNarrowed = view.typed.trim() !== '' || Object.keys(view.ask.filters).length > 0
  const isCards = width > 0 && width < cardsBelow

  const isOne = props.picks === 'one'
  const picked = useSelection({ rows, rowKey, rowName, selected, select: view.select, isOne })
  const selection = bulk || props.picks ? picked : undefined

  useTableKeys({
    isOn: props.hasKeys !== false && !isCards,
    move(step) {
      const place = activeKey === null ? -1 : order.indexOf(activeKey)
      const key = order[Math.min(Math.max(place + step, 0), order.length - 1)]
      if (key === undefined) return
      setActiveKey(key)
      grid.current?.scrollToKey(key)
      if (props.openKey != null) openKey(key)
    },
    open: () => activeKey !== null && openKey(activeKey),
    search: () => searchField.current?.focus(),
    escape: () => selected.size > 0 && view.select(new Set()),
  })

  const keptFocus = useKeptFocus(order, page ? (page.page - 1) * page.pageSize : 0, (key) => {
    const list = panel.current
    if (key === undefined) return list?.focus({ preventScroll: true })
    if (!isCards) {
      setActiveKey(key)
      return grid.current?.focus()
    }
    const card = list?.querySelectorAll('ul > li')[order.indexOf(key)]
    ;(card?.querySelector<HTMLElement>('button, input, a[href]') ?? list)?.focus({ preventScroll: true })
  })
  useListOnPage(panel, props.hasKeys !== false)

  function openKey(key: Key) {
    const row = rows.find((one) => rowKey(one) === key)
    if (row !== undefined) onOpen?.(row)
  }

  const canSort = isWhole(source)
  const drawn = useMemo(
    () =>
      gridColumns({
        columns: shown.columns,
        settings: view.settings,
        isSortable: (column) => canSort || column.sort === 'platform',
        selectColumn: selection?.column,
      }),
    [shown.columns, view.settings, canSort, selection?.column],
  )

  const empty = (
    <TableEmpty
      source={source}
      isNarrowed={isNarrowed}
      isSearched={view.typed.trim() !== ''}
      empty={props.empty}
      rowHeight={rowHeights[rowDensity]}
      onClear={view.clear}
    />
  )
  const isWaiting = !source.rows && !source.isRefused && !source.isFailed
  const { sort } = view.ask
  const { search, fileName } = props
  const hasToolbar = needsToolbar({ view, source, columns, filters, search })
  const hasTools = !hasToolbar && Boolean(source.rows?.length)
  const hasCount = Boolean(source.rows?.length) || isNarrowed
  const isHeadEmpty = props.isTitleHidden && !hasCount && !hasTools && !lead && !props.note && !props.actions
  const options = (
    <ViewOptions
      columns={columns}
      arrangement={view}
      ofCards={
        isCards
          ? {
              sort,
              onSort: view.setSort,
              canSort: (column) => isSorted(column) && (canSort || column.sort === 'platform'),
            }
          : undefined
      }
    />
  )

  return (
    <Stack
      ref={panel}
      as="section"
      surface="panel"
      shrinks
      className={classes(css.panel, isCards && css.cards)}
      tabIndex={-1}
      aria-labelledby={titleId}
      aria-busy={source.isFetching}
      {...keptFocus}
      data-density={rowDensity}
    >
      <header
        className={
          isHeadEmpty
            ? 'sr-only'
            : classes(css.head, !hasToolbar && css.alone, props.isTitleHidden && !lead && css.untitled)
        }
      >
        <div className={classes(css.words, props.isTitleHidden && css.line)}>
          <Row id={titleId} as="h2" gap="0 8" align="baseline" wraps>
            {props.isTitleHidden ? <span className="sr-only">{title}</span> : title}
            <TableCount source={source} shown={rows.length} isNarrowed={isNarrowed} />
            {props.note}
          </Row>
          {lead && (
            <Text as="p" tone="quiet" pretty>
              {lead}
            </Text>
          )}
        </div>
        {props.actions && <div className={css.actions}>{props.actions}</div>}
        {hasTools && (
          <Box last className={classes(css.actions, css.tools)}>
            {fileName !== undefined && <ExportButton source={source} shown={shown} fileName={fileName} />}
            {options}
          </Box>
        )}
      </header>
      {hasToolbar && (
        <TableToolbar
          view={view}
          source={source}
          columns={columns}
          filters={filters}
          shown={shown}
          search={search}
          searchRef={searchField}
          fileName={fileName}
          isCards={isCards}
          alsoBy={props.alsoBy}
        >
          {options}
        </TableToolbar>
      )}
      {bulk && selection && selection.rows.length > 0 && (
        <div className={css.bulk} role="toolbar" aria-label={t.bulk}>
          <span className="numbers" role="status">
            {t.selected(formatNumber(selection.rows.length))}
          </span>
          {bulk(selection.rows)}
          <button type="button" className={css.deselect} onClick={() => view.select(new Set())}>
            {t.deselect}
          </button>
        </div>
      )}
      {isCards ? (
        <TableCards
          columns={shown.columns}
          rows={rows}
          rowKey={rowKey}
          rowName={rowName}
          selection={selection}
          onOpen={onOpen}
          rowClass={props.rowClass}
          label={title}
          empty={<div className={css.empty}>{empty}</div>}
        />
      ) : (
        <VirtualGrid<Row, Key>
          ref={grid}
          fit="content"
          ownsTabs
          label={title}
          columns={drawn}
          rows={rows}
          rowKey={rowKey}
          rowHeight={rowHeights[rowDensity]}
          selectedKey={props.openKey ?? null}
          activeKey={activeKey}
          onActiveChange={setActiveKey}
          onOpen={onOpen}
          sort={
            sort && { columnId: sort.columnId, direction: sort.isDescending ? 'descending' : 'ascending' }
          }
          onSort={(columnId) => view.setSort(nextSort(sort, columnId))}
          selection={selection}
          onResize={(columnId, wished) =>
            view.arrange({
              ...view.settings,
              widths: { ...view.settings.widths, [columnId]: clampWidth(wished) },
            })
          }
          rowClass={props.rowClass}
          extent={page && { count: page.total, first: (page.page - 1) * page.pageSize }}
          busy={source.isFetching}
          waiting={isWaiting ? waitingRows : undefined}
          empty={<div className={css.empty}>{empty}</div>}
        />
      )}
      {props.children}
      {page && source.rows && (
        <Pager
          isFoot={!isCards}
          page={page.page}
          pages={Math.ceil(page.total / page.pageSize)}
          onPage={view.turnTo}
        />
      )}
    </Stack>
  )
}
