// biome-ignore-all lint/a11y/useSemanticElements: rows are placed and only the visible ones drawn, which the table elements cannot do; the grid itself has the focus and takes the keys
// biome-ignore-all lint/a11y/useFocusableInteractive: rows are placed and only the visible ones drawn, which the table elements cannot do; the grid itself has the focus and takes the keys
// biome-ignore-all lint/a11y/useKeyWithClickEvents: rows are placed and only the visible ones drawn, which the table elements cannot do; the grid itself has the focus and takes the keys
import { type CSSProperties, memo, type PointerEvent, useLayoutEffect, useRef } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { Row } from '../layout/layout.tsx'
import { Skeleton } from '../skeleton.tsx'
import type { PlacedColumn } from './grid-columns.ts'
import type { GridSort } from './grid-sort.ts'
import css from './virtual-grid.module.css'

/** Elements whose press does not count as one on their row. */
const pressable = 'button, a, input, select, label, summary, [role="menu"], [role="dialog"]'

interface HeaderCellProps {
  id: string
  column: PlacedColumn<never>
  /** The keyboard is on it. */
  active: boolean
  sort: GridSort | null
  onSort: (columnId: string) => void
  onResize: ((columnId: string, width: number) => void) | undefined
}

/** A column's name, with its order and the handle of its width. */
export function HeaderCell(props: HeaderCellProps) {
  const { id, column, active, sort, onSort, onResize } = props
  const direction = sort?.columnId === column.id ? sort.direction : undefined
  return (
    <Row
      id={id}
      role="columnheader"
      aria-colindex={column.index + 1}
      aria-sort={column.sortable ? (direction ?? 'none') : undefined}
      padX={8}
      shrinks
      className={classes(css.headerCell, active && css.activeCell, column.sticky && css.sticky)}
      style={stickyStyle(column)}
      data-tip={column.hint}
    >
      {column.headerContent ??
        (column.headerHidden ? (
          <span className="sr-only">{column.header}</span>
        ) : column.sortable ? (
          <button
            type="button"
            // The grid has one tab stop; its arrow keys lead here.
            tabIndex={-1}
            className={classes(css.sorter, direction && css.sorted)}
            onClick={() => onSort(column.id)}
          >
            <span className="cut">{column.header}</span>
            <Icon name={direction === 'descending' ? 'arrowDown' : 'arrowUp'} size={12} />
          </button>
        ) : (
          <span className="cut">{column.header}</span>
        ))}
      {onResize && column.resizable && <ResizeHandle onResize={(width) => onResize(column.id, width)} />}
    </Row>
  )
}

/** The right edge of a header: dragged, it makes the column wider or narrower. Keys do it on the header itself. */
function ResizeHandle({ onResize }: { onResize: (width: number) => void }) {
  const start = useRef<{ x: number; width: number }>(undefined)
  const begin = (event: PointerEvent<HTMLSpanElement>) => {
    const cell = event.currentTarget.parentElement
    if (!cell || event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, width: cell.offsetWidth }
  }
  const end = () => {
    start.current = undefined
  }
  return (
    <span
      aria-hidden="true"
      className={css.handle}
      onPointerDown={begin}
      onPointerMove={(event) => {
        const { current } = start
        if (current) onResize(current.width + event.clientX - current.x)
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onClick={(event) => event.stopPropagation()}
    />
  )
}

interface GridRowProps {
  id: string
  row: unknown
  index: number
  /** Pixels from the top of the body. */
  top: number
  columns: readonly PlacedColumn<never>[]
  /** It is open elsewhere, or selected. */
  selected: boolean
  open: boolean
  active: boolean
  /** The cell the keyboard is on. */
  activeColumn: string | null
  /** Controls of a row are tab stops only while the keyboard is on it. */
  ownsTabs: boolean
  className: string | undefined
  onOpen: ((row: unknown) => void) | undefined
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, row, index, top, columns, selected, open, active, activeColumn, ownsTabs } = props
  const element = useRef<HTMLDivElement>(null)
  // After each render: a cell may have replaced a control.
  useLayoutEffect(() => {
    if (!ownsTabs) return
    // Of a group of choices only the chosen one is a tab stop.
    for (const control of element.current?.querySelectorAll<HTMLElement>('button, a[href], input, summary') ??
      [])
      control.tabIndex = active && !(control.role === 'radio' && control.ariaChecked === 'false') ? 0 : -1
  })
  return (
    <div
      ref={element}
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-current={open || undefined}
      className={classes(css.row, active && css.active, !props.onOpen && css.still, props.className)}
      style={{ top }}
      data-subject=""
      onClick={(event) => {
        const pressed = event.target instanceof Element ? event.target.closest(pressable) : null
        if (pressed && ownsTabs && event.currentTarget.contains(pressed)) return
        props.onOpen?.(row)
      }}
    >
      {columns.map((column) => (
        <Row
          key={column.id}
          id={`${id}-${column.id}`}
          role="gridcell"
          aria-colindex={column.index + 1}
          padX={8}
          shrinks
          className={classes(
            css.cell,
            active && activeColumn === column.id && css.activeCell,
            column.sticky && css.sticky,
          )}
          style={stickyStyle(column)}
          data-column={column.id}
          data-kind={column.kind}
        >
          {column.cell(row as never, { active, selected })}
        </Row>
      ))}
    </div>
  )
})

/** Rows to come: each bar stands under its heading, where the value will be. */
export function WaitingRows({ columns, rows }: { columns: readonly PlacedColumn<never>[]; rows: number }) {
  return (
    <div aria-hidden="true" className={css.body}>
      {Array.from({ length: rows }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={place} className={classes(css.row, css.waiting)}>
          {columns.map(({ id, headerHidden, headerContent, grow }) => (
            <Row key={id} padX={8} shrinks className={css.cell}>
              {headerContent ? (
                <Skeleton width={14} height={14} />
              ) : (
                !headerHidden && <Skeleton width={grow ? `${45 + ((place * 37) % 30)}%` : '70%'} />
              )}
            </Row>
          ))}
        </div>
      ))}
    </div>
  )
}

function stickyStyle({ sticky, offset }: PlacedColumn<never>): CSSProperties | undefined {
  if (sticky === 'start') return { left: offset }
  return sticky === 'end' ? { right: offset } : undefined
}
