// biome-ignore-all lint/a11y/useSemanticElements: rows are placed and only the visible ones drawn, which the table elements cannot do; the grid itself has the focus and takes the keys
// biome-ignore-all lint/a11y/useFocusableInteractive: rows are placed and only the visible ones drawn, which the table elements cannot do; the grid itself has the focus and takes the keys
import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { classes } from '../classes.ts'
import { columnTemplate } from './fit-columns.ts'
import { GridRow, HeaderCell, WaitingRows } from './grid-cells.tsx'
import { drawsAlike, type GridColumn, type PlacedColumn, placeColumns } from './grid-columns.ts'
import { movePlace } from './grid-keys.ts'
import type { GridSort } from './grid-sort.ts'
import { rowsOfFrame } from './row-budget.ts'
import { useWidth } from './use-width.ts'
import css from './virtual-grid.module.css'

export type { GridColumn, RowState } from './grid-columns.ts'

export type RowKey = string | number

export interface VirtualGridHandle<Key extends RowKey = number> {
  focus(): void
  scrollToKey(key: Key): void
}

interface VirtualGridProps<Row, Key extends RowKey> {
  label: string
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[]
  /** Unique and lasting: a row keeps its place on screen when others come and go. */
  rowKey: (row: Row) => Key
  rowHeight: number
  /** The row shown elsewhere in detail. */
  selectedKey: Key | null
  /** The row the keyboard is on. */
  activeKey: Key | null
  onActiveChange: (key: Key) => void
  /** Without it rows cannot be opened. */
  onOpen?: ((row: Row) => void) | undefined
  sort: GridSort | null
  onSort: (columnId: string) => void
  /** Set where rows can be selected; Space selects the one the keyboard is on. */
  selection?: GridSelection<Key> | undefined
  /** Set where columns can be made wider: by a drag, or by Shift and an arrow on a header. */
  onResize?: ((columnId: string, width: number) => void) | undefined
  /** The keys rendered now, whenever they change. */
  onVisibleChange?: (keys: readonly Key[]) => void
  rowClass?: ((row: Row) => string | undefined) | undefined
  /** Shown under the header instead of rows. */
  empty?: ReactNode
  busy?: boolean
  /** So many rows to come are drawn, in the columns of the rows. */
  waiting?: number | undefined
  /** `content`: it is as high as its rows, and scrolls where its panel has less room. */
  fit?: 'fill' | 'content'
  /** Rows of the whole list where these are one page of it, and the place of the first. */
  extent?: { readonly count: number; readonly first: number } | undefined
  /** Controls of a row are tab stops only while the keyboard is on it; presses of them do not open the row. */
  ownsTabs?: boolean
  ref?: Ref<VirtualGridHandle<Key>>
}

export interface GridSelection<Key extends RowKey> {
  readonly has: (key: Key) => boolean
  readonly toggle: (key: Key, isRange: boolean) => void
  readonly toggleAll: () => void
  /** At most one is selected. */
  readonly isOne?: boolean
}

/** Rows rendered beyond the visible ones, so that a fast scroll does not show a blank. */
const overscanRows = 5
const headerHeight = 32
/** Pixels by which a key makes a column wider. */
const widthStep = 16

/**
 * A grid for thousands of rows: only the visible ones are drawn. It has the roles of an ARIA grid, hides
 * columns by rank when space is short, and is one tab stop: arrow keys, Home, End and page keys move the
 * active row and walk its cells, Space selects the row, Enter opens it or enters the cell.
 */
export function VirtualGrid<Row, Key extends RowKey = number>(props: VirtualGridProps<Row, Key>) {
  const { label, columns, rows, rowKey, rowHeight, selectedKey, activeKey, onOpen, onVisibleChange } = props
  const { selection, onResize, fit = 'fill', extent, ownsTabs = false, waiting = 0 } = props
  const id = useId()
  const [scroller, width] = useWidth<HTMLDivElement>()
  const shown = useMemo(() => placeColumns(columns, width || Number.POSITIVE_INFINITY), [columns, width])
  const rowColumns = useKept(shown)
  const template = useMemo(() => columnTemplate(shown), [shown])
  const least = useMemo(() => shown.reduce((sum, column) => sum + column.widthMin, 0), [shown])
  // The cell with the keyboard's focus; null if the whole row has it.
  const [activeColumn, setActiveColumn] = useState<string | null>(null)
  const [isOnHeader, setOnHeader] = useState(false)

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
  const visible = items.map((item) => item.key).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when the keys are others, not when they are drawn again
  useEffect(() => onVisibleChange?.(items.map((item) => item.key as Key)), [visible, onVisibleChange])

  const indexOf = (key: Key | null) => (key === null ? -1 : rows.findIndex((row) => rowKey(row) === key))

  useImperativeHandle(props.ref, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    scrollToKey: (key) => {
      const index = indexOf(key)
      if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' })
    },
  }))

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    // Keys pressed on a control inside a row are the control's; Esc leads back from it.
    if (event.target !== event.currentTarget) {
      if (event.key === 'Escape' && ownsTabs && !event.defaultPrevented) {
        event.stopPropagation()
        event.currentTarget.focus({ preventScroll: true })
      }
      return
    }
    const index = indexOf(activeKey)
    const column = shown.findIndex((one) => one.id === activeColumn)
    const header = isOnHeader ? shown[column] : undefined
    if (header && event.shiftKey && onResize && header.resizable) {
      const step = { ArrowLeft: -widthStep, ArrowRight: widthStep }[event.key]
      if (step) {
        event.preventDefault()
        const drawn = document.getElementById(`${id}-head-${header.id}`)?.offsetWidth ?? header.widthMin
        return onResize(header.id, drawn + step)
      }
    }
    const place = { row: isOnHeader ? -1 : index < 0 ? null : index, column }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const to = movePlace(place, event.key, event.ctrlKey || event.metaKey, {
      rows: rows.length,
      columns: shown.length,
      page,
    })
    if (to) {
      event.preventDefault()
      setActiveColumn(shown[to.column]?.id ?? null)
      setOnHeader(to.row === -1)
      const row = to.row === null ? undefined : rows[to.row]
      if (row === undefined) return
      props.onActiveChange(rowKey(row))
      return virtualizer.scrollToIndex(to.row ?? 0, { align: 'auto' })
    }
    if (header) {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      if (header.sortable) return props.onSort(header.id)
      return enterCell(`${id}-head-${header.id}`)
    }
    const row = rows[index]
    if (row === undefined) return
    if (event.key === ' ' && selection) {
      event.preventDefault()
      return selection.toggle(rowKey(row), event.shiftKey)
    }
    if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selection) {
      event.preventDefault()
      return selection.toggleAll()
    }
    if (event.key === 'Escape' && activeColumn !== null) {
      event.preventDefault()
      return setActiveColumn(null)
    }
    if (event.key !== 'Enter' && event.key !== 'F2') return
    if (activeColumn !== null && enterCell(`${id}-${rowKey(row)}-${activeColumn}`)) event.preventDefault()
    else if (event.key === 'Enter' && onOpen) {
      event.preventDefault()
      onOpen(row)
    }
  }

  // The empty state stands beside the grid: a grid may hold nothing but rows.
  const isActiveDrawn = items.some((item) => item.key === activeKey)
  const activeId = isOnHeader
    ? `${id}-head-${activeColumn}`
    : isActiveDrawn
      ? `${id}-${activeKey}${activeColumn === null ? '' : `-${activeColumn}`}`
      : undefined
  const height = headerHeight + (rows.length || waiting) * rowHeight
  const grid = (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={(extent?.count ?? rows.length) + 1}
      aria-colcount={columns.length}
      aria-multiselectable={selection ? true : undefined}
      aria-busy={props.busy || waiting > 0 || undefined}
      aria-activedescendant={activeId}
      tabIndex={0}
      className={classes(
        css.grid,
        fit === 'content' && css.content,
        rows.length === 0 && waiting === 0 && css.headOnly,
      )}
      style={
        {
          '--columns': template,
          '--row': `${rowHeight}px`,
          '--least': `${least}px`,
          '--height': `${height}px`,
        } as CSSProperties
      }
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className={css.head}>
        {shown.map((column) => (
          <HeaderCell
            key={column.id}
            id={`${id}-head-${column.id}`}
            column={column}
            active={isOnHeader && column.id === activeColumn}
            sort={props.sort}
            onSort={props.onSort}
            onResize={onResize}
          />
        ))}
      </div>
      {waiting > 0 && <WaitingRows columns={rowColumns} rows={waiting} />}
      {rows.length > 0 && (
        <div role="rowgroup" className={css.body} style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            const key = rowKey(row)
            const isActive = key === activeKey
            return (
              <GridRow
                key={key}
                id={`${id}-${key}`}
                row={row as unknown}
                index={item.index + (extent?.first ?? 0)}
                top={item.start - headerHeight}
                columns={rowColumns}
                selected={selection ? selection.has(key) : key === selectedKey}
                open={key === selectedKey}
                active={isActive}
                activeColumn={isActive && !isOnHeader ? activeColumn : null}
                ownsTabs={ownsTabs}
                className={props.rowClass?.(row)}
                onOpen={onOpen as ((row: unknown) => void) | undefined}
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
      {rows.length === 0 && waiting === 0 && props.empty}
    </>
  )
}

/** Puts the focus on the first control of a cell; false if it contains no control. */
function enterCell(id: string): boolean {
  const control = document
    .getElementById(id)
    ?.querySelector<HTMLElement>('button:not(:disabled), a[href], input:not(:disabled), summary')
  control?.focus()
  return control !== null && control !== undefined
}

/**
 * The columns for the rows: the same array while they look the same, so that dragging a width does not render
 * rows.
 */
function useKept<Row>(shown: readonly PlacedColumn<Row>[]): readonly PlacedColumn<Row>[] {
  const [kept, keep] = useState(shown)
  if (kept === shown || drawsAlike(kept, shown)) return kept
  keep(shown)
  return shown
}

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
