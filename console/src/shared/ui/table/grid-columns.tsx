import type { GridColumn } from '../data/virtual-grid.tsx'
import { cellOf } from './cells.tsx'
import type { TableColumn } from './column.ts'
import css from './data-table.module.css'
import type { SelectedPart } from './selection.ts'
import { pinOf, type TableSettings } from './settings.ts'

interface Selection<Row> {
  readonly part: SelectedPart
  readonly allWord: string
  readonly wordOf: (row: Row) => string
  readonly has: (row: Row) => boolean
  readonly toggle: (row: Row, isRange: boolean) => void
  readonly toggleAll: () => void
}

interface GridColumnsOptions<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly settings: TableSettings
  readonly isSortable: (column: TableColumn<Row>) => boolean
  readonly selection?: Selection<Row>
}

const selectWidth = 40

/** The columns as the grid draws them, before them the one with the checkboxes. */
export function gridColumns<Row>(options: GridColumnsOptions<Row>): GridColumn<Row>[] {
  const { columns, settings, isSortable, selection } = options
  const drawn = columns.map((column): GridColumn<Row> => {
    const { id, title, isTitleHidden = false, hint, grow, rank, value, sort } = column
    const width = settings.widths[id]
    return {
      id,
      header: title,
      headerHidden: isTitleHidden,
      hint,
      widthMin: width ?? column.width,
      ...(width === undefined && grow !== undefined ? { grow } : {}),
      rank: rank <= 1 ? 0 : rank,
      sortable: sort !== false && value !== undefined && isSortable(column),
      resizable: !isTitleHidden,
      sticky: pinOf(column, settings),
      cell: cellOf(column),
    }
  })
  return selection ? [selectColumn(selection), ...drawn] : drawn
}

function selectColumn<Row>(selection: Selection<Row>): GridColumn<Row> {
  return {
    id: 'select',
    header: selection.allWord,
    headerContent: (
      <input
        type="checkbox"
        tabIndex={-1}
        className={css.check}
        aria-label={selection.allWord}
        checked={selection.part === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = selection.part === 'some'
        }}
        onChange={selection.toggleAll}
      />
    ),
    widthMin: selectWidth,
    rank: 0,
    sticky: 'start',
    cell: (row) => (
      <input
        type="checkbox"
        className={css.check}
        aria-label={selection.wordOf(row)}
        checked={selection.has(row)}
        onChange={(event) =>
          selection.toggle(row, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
        }
      />
    ),
  }
}
