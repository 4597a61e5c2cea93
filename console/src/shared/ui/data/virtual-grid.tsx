// biome-ignore-all lint/a11y/useSemanticElements: rows are placed and only the visible ones drawn, which the table elements cannot do; the grid itself has the focus and takes the keys
// biome-ignore-all lint/a11y/useFocusableInteractive: rows are placed and only the visible ones drawn, which the table elements cannot do; the grid itself has the focus and takes the keys
// biome-ignore-all lint/a11y/useKeyWithClickEvents: rows are placed and only the visible ones drawn, which the table elements cannot do; the grid itself has the focus and takes the keys
import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useReducer,
  useRef,
} from 'react'
import { useText } from '../../i18n/index.ts'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { type ColumnMeasure, columnTemplate, fitColumns } from './fit-columns.ts'
import type { GridSort } from './grid-sort.ts'
import { rowsOfFrame } from './row-budget.ts'
import { useWidth } from './use-width.ts'
import css from './virtual-grid.module.css'

/** What a cell may want to know of its row beside the row itself. */
export interface RowState {
  /** The row the keyboard is on: its buttons are in the tab order. */
  readonly active: boolean
}

export interface GridColumn<Row> extends ColumnMeasure {
  readonly header: string
  /** The header is there for screen readers only. */
  readonly headerHidden?: boolean
  readonly sortable?: boolean
  /** What a tip on the header explains. */
  readonly hint?: string
  readonly cell: (row: Row, state: RowState) => ReactNode
}

export interface VirtualGridHandle {
  focus(): void
  scrollToKey(key: number): void
}

interface VirtualGridProps<Row> {
  label: string
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[]
  /** Unique and lasting: a row keeps its place on screen when others come and go. */
  rowKey: (row: Row) => number
  rowHeight: number
  /** The row shown elsewhere in detail. */
  selectedKey: number | null
  /** The row the keyboard is on. */
  activeKey: number | null
  onActiveChange: (key: number) => void
  onOpen: (row: Row) => void
  sort: GridSort | null
  onSort: (columnId: string) => void
  /** The keys drawn now, whenever they change. */
  onVisibleChange?: (keys: readonly number[]) => void
  rowClass?: (row: Row) => string | undefined
  /** Shown under the header instead of rows. */
  empty?: ReactNode
  busy?: boolean
  ref?: Ref<VirtualGridHandle>
}

/** Rows drawn beyond what is seen, so that a fast scroll meets rows and not a blank. */
const overscanRows = 5

/**
 * A grid for thousands of rows: only the visible ones are drawn. It has the roles of an ARIA grid, its columns
 * leave by rank where there is no room, and one tab stop: arrow keys, Home, End and page keys move the active
 * row, Enter opens it.
 */
export function VirtualGrid<Row>(props: VirtualGridProps<Row>) {
  const { label, columns, rows, rowKey, rowHeight, selectedKey, activeKey, onOpen, onVisibleChange } = props
  const t = useText()
  const id = useId()
  const [scroller, width] = useWidth<HTMLDivElement>()
  const shown = useMemo(() => fitColumns(columns, width || Number.POSITIVE_INFINITY), [columns, width])
  const template = useMemo(() => columnTemplate(shown), [shown])

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: overscanRows,
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : rowKey(row)
    },
    // The rows begin below the header, which covers what scrolls under it.
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are kept until the row height is another
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])

  const items = useRowsOfFrame(virtualizer)
  const visible = items.map((item) => Number(item.key)).join()
  useEffect(
    () => onVisibleChange?.(visible ? visible.split(',').map(Number) : []),
    [visible, onVisibleChange],
  )

  const indexOf = (key: number | null) => (key === null ? -1 : rows.findIndex((row) => rowKey(row) === key))

  useImperativeHandle(props.ref, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    scrollToKey: (key) => {
      const index = indexOf(key)
      if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' })
    },
  }))

  function moveTo(index: number) {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)]
    if (row === undefined) return
    props.onActiveChange(rowKey(row))
    virtualizer.scrollToIndex(indexOf(rowKey(row)), { align: 'auto' })
  }

  function onKeyDown(event: KeyboardEvent) {
    // Keys pressed on a button inside a row are the button's.
    if (event.target !== event.currentTarget) return
    const index = indexOf(activeKey)
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const target: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: Math.max(index, 1) - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: rows.length - 1,
    }
    const to = target[event.key]
    if (to !== undefined) {
      event.preventDefault()
      return moveTo(to)
    }
    const row = rows[index]
    if (event.key === 'Enter' && row !== undefined) {
      event.preventDefault()
      onOpen(row)
    }
  }

  // The empty state stands beside the grid: a grid may hold nothing but rows.
  const isActiveDrawn = items.some((item) => item.key === activeKey)
  const grid = (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-busy={props.busy || undefined}
      aria-activedescendant={isActiveDrawn ? `${id}-${activeKey}` : undefined}
      tabIndex={0}
      className={classes(css.grid, rows.length === 0 && css.headOnly)}
      style={{ '--columns': template, '--row': `${rowHeight}px` } as CSSProperties}
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className={css.head}>
        {shown.map((column) => (
          <HeaderCell
            key={column.id}
            column={column}
            sort={props.sort}
            onSort={props.onSort}
            sortWord={t.machines.sort}
          />
        ))}
      </div>
      {rows.length > 0 && (
        <div role="rowgroup" className={css.body} style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            const key = rowKey(row)
            return (
              <GridRow
                key={key}
                id={`${id}-${key}`}
                row={row as unknown}
                index={item.index}
                top={item.start - headerHeight}
                columns={shown as readonly GridColumn<never>[]}
                selected={key === selectedKey}
                active={key === activeKey}
                className={props.rowClass?.(row)}
                onOpen={onOpen as (row: unknown) => void}
              />
            )
          })}
        </div>
      )}
    </div>
  )
  return (
    <>
      {grid}
      {rows.length === 0 && props.empty}
    </>
  )
}

const headerHeight = 32

/** The rows drawn now: after a far jump what is seen comes first, and the rest in the frames that follow. */
function useRowsOfFrame(virtualizer: Virtualizer<HTMLDivElement, Element>): readonly VirtualItem[] {
  const standing = useRef<ReadonlySet<unknown>>(new Set())
  const [, drawMore] = useReducer((frame: number) => frame + 1, 0)
  const wanted = virtualizer.getVirtualItems()
  const items = rowsOfFrame(wanted, standing.current, virtualizer.range)
  const isComplete = items.length === wanted.length
  useEffect(() => {
    standing.current = new Set(items.map((item) => item.key))
    if (isComplete) return
    const frame = requestAnimationFrame(drawMore)
    return () => cancelAnimationFrame(frame)
  })
  return items
}

interface HeaderCellProps {
  column: GridColumn<never>
  sort: GridSort | null
  onSort: (columnId: string) => void
  sortWord: (header: string) => string
}

function HeaderCell({ column, sort, onSort, sortWord }: HeaderCellProps) {
  const direction = sort?.columnId === column.id ? sort.direction : undefined
  return (
    <div
      role="columnheader"
      aria-sort={column.sortable ? (direction ?? 'none') : undefined}
      className={css.headerCell}
      data-tip={column.hint}
    >
      {column.headerHidden ? (
        <span className="sr-only">{column.header}</span>
      ) : column.sortable ? (
        <button
          type="button"
          className={classes(css.sorter, direction && css.sorted)}
          aria-label={sortWord(column.header)}
          onClick={() => onSort(column.id)}
        >
          <span className="cut">{column.header}</span>
          <Icon name={direction === 'descending' ? 'arrowDown' : 'arrowUp'} size={12} />
        </button>
      ) : (
        <span className="cut">{column.header}</span>
      )}
    </div>
  )
}

interface GridRowProps {
  id: string
  row: unknown
  index: number
  /** Pixels from the top of the body. */
  top: number
  columns: readonly GridColumn<never>[]
  selected: boolean
  active: boolean
  className: string | undefined
  onOpen: (row: unknown) => void
}

const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, row, index, top, columns, selected, active, className, onOpen } = props
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={classes(css.row, active && css.active, className)}
      style={{ top }}
      onClick={() => onOpen(row)}
    >
      {columns.map((column) => (
        <div key={column.id} role="gridcell" className={css.cell} data-column={column.id}>
          {column.cell(row as never, { active })}
        </div>
      ))}
    </div>
  )
})
