import type { GridColumn } from '../data/virtual-grid.tsx'
import { cellOf } from './cells.tsx'
import { isSorted, type TableColumn } from './column.ts'
import { pinOf, type TableSettings } from './settings.ts'

interface GridColumnsOptions<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly settings: TableSettings
  readonly isSortable: (column: TableColumn<Row>) => boolean
  /** Stands before all others: the checkboxes. */
  readonly selectColumn?: GridColumn<Row> | undefined
}

/** A column that a person shows is hidden after all others. */
const wishedRank = 1.5

/** Pixels of a heading: of a letter, of a Chinese character, of the arrow of its order, and around it. */
const heading = { letter: 7, wide: 12, arrow: 16, around: 20 } as const

/** The least width of a column, so that its heading is whole. */
function headingWidth(title: string, isSortable: boolean): number {
  const letters = [...title].reduce((sum, char) => sum + (char > '\u2e7f' ? heading.wide : heading.letter), 0)
  return letters + heading.around + (isSortable ? heading.arrow : 0)
}

/** The columns as the grid draws them, before them the one with the checkboxes. */
export function gridColumns<Row>(options: GridColumnsOptions<Row>): GridColumn<Row>[] {
  const { columns, settings, isSortable, selectColumn } = options
  const drawn = columns.map((column): GridColumn<Row> => {
    const { id, kind, title, isTitleHidden = false, hint, grow, rank } = column
    const width = settings.widths[id]
    const sortable = isSorted(column) && isSortable(column)
    return {
      id,
      kind,
      header: title,
      headerHidden: isTitleHidden,
      hint,
      widthMin: width ?? Math.max(column.width, isTitleHidden ? 0 : headingWidth(title, sortable)),
      ...(width === undefined && grow !== undefined ? { grow } : {}),
      rank: rank <= 1 ? 0 : settings.shown[id] ? Math.min(rank, wishedRank) : rank,
      sortable,
      resizable: !isTitleHidden,
      sticky: pinOf(column, settings),
      cell: cellOf(column),
    }
  })
  return selectColumn ? [selectColumn, ...drawn] : drawn
}
