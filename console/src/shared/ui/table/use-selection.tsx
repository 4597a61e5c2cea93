import { useLayoutEffect, useMemo, useRef } from 'react'
import { useText } from '../../i18n/index.ts'
import type { GridColumn, GridSelection, RowKey } from '../data/virtual-grid.tsx'
import { selectedPart, toggleAll, toggleKey } from './selection.ts'

interface SelectionOptions<Row, Key extends RowKey> {
  /** In the order they are shown. */
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => Key
  readonly rowName: (row: Row) => string
  readonly selected: ReadonlySet<RowKey>
  readonly select: (keys: ReadonlySet<RowKey>) => void
  /** One row at most is selected: the header has no box for all of them. */
  readonly isOne?: boolean
  /** Of the column, in pixels. */
  readonly width?: number
}

interface Selection<Row, Key extends RowKey> extends GridSelection<Key> {
  /** The selected rows among those that are shown. */
  readonly rows: readonly Row[]
  /** The column of checkboxes, the header's for all rows. */
  readonly column: GridColumn<Row>
}

/** Selects rows one by one, by Shift a range of them, or all that are shown. */
export function useSelection<Row, Key extends RowKey>(
  options: SelectionOptions<Row, Key>,
): Selection<Row, Key> {
  const { rows, rowKey, selected, isOne = false, width = 40 } = options
  const t = useText().table
  const order = useMemo(() => rows.map(rowKey), [rows, rowKey])
  const part = useMemo(() => selectedPart<RowKey>(selected, order), [selected, order])
  const anchor = useRef<Key>(undefined)
  // The functions are stable, so that a press renders only the row that it selects.
  const latest = useRef({ ...options, order })
  useLayoutEffect(() => {
    latest.current = { ...options, order }
  })
  const acts = useMemo(
    () => ({
      toggle(key: Key, isRange: boolean) {
        const now = latest.current
        now.select(toggleKey<RowKey>(now.selected, now.order, key, anchor.current, isRange))
        anchor.current = key
      },
      toggleAll() {
        const now = latest.current
        if (!now.isOne) now.select(toggleAll<RowKey>(now.selected, now.order))
      },
    }),
    [],
  )
  const cell = useMemo(
    (): GridColumn<Row>['cell'] => (row, state) => (
      <input
        type={isOne ? 'radio' : 'checkbox'}
        tabIndex={state.active ? 0 : -1}
        aria-label={t.select(latest.current.rowName(row))}
        checked={state.selected}
        // A press on it does not open the row.
        onClick={(event) => event.stopPropagation()}
        onChange={({ nativeEvent }) =>
          acts.toggle(latest.current.rowKey(row), nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    ),
    [t, isOne, acts],
  )
  const column = useMemo(
    (): GridColumn<Row> => ({
      id: 'select',
      header: t.selectAll,
      headerContent: isOne ? (
        <span />
      ) : (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={t.selectAll}
          checked={part === 'all'}
          ref={(box) => {
            if (box) box.indeterminate = part === 'some'
          }}
          onChange={acts.toggleAll}
        />
      ),
      widthMin: width,
      rank: 0,
      sticky: 'start',
      cell,
    }),
    [t, part, isOne, width, acts, cell],
  )
  return useMemo(
    () => ({
      ...acts,
      isOne,
      has: (key: Key) => selected.has(key),
      rows: selected.size === 0 ? [] : rows.filter((row) => selected.has(rowKey(row))),
      column,
    }),
    [acts, isOne, selected, rows, rowKey, column],
  )
}
