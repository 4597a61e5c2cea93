/** The position of the keyboard in a grid. */
export interface GridPlace {
  /** -1: the header; null: nowhere yet. */
  readonly row: number | null
  /** -1: the row as a whole. */
  readonly column: number
}

export interface GridExtent {
  readonly rows: number
  readonly columns: number
  /** Rows a page key moves by. */
  readonly page: number
}

/**
 * The place a key leads to; undefined for a key that does not move. Up and down move by rows; left and right
 * walk the cells of a row, and back from its first cell to the row as a whole. The header is above the first
 * row's cells.
 */
export function movePlace(
  { row, column }: GridPlace,
  key: string,
  isCtrl: boolean,
  { rows, columns, page }: GridExtent,
): GridPlace | undefined {
  const rowMin = column < 0 ? 0 : -1
  const toRow = (wanted: number): GridPlace => ({
    row: rows === 0 && column < 0 ? null : Math.min(Math.max(wanted, rowMin), rows - 1),
    column,
  })
  const toColumn = (wanted: number): GridPlace => ({
    row: row ?? (rows > 0 ? 0 : -1),
    column: Math.min(Math.max(wanted, row === -1 ? 0 : -1), columns - 1),
  })
  switch (key) {
    case 'ArrowDown':
      return toRow((row ?? -1) + 1)
    case 'ArrowUp':
      return toRow((row ?? 1) - 1)
    case 'PageDown':
      return toRow((row ?? -1) + page)
    case 'PageUp':
      return { ...toRow(Math.max(0, (row ?? 0) - page)) }
    case 'ArrowRight':
      return toColumn(column + 1)
    case 'ArrowLeft':
      return toColumn(column - 1)
    case 'Home':
      return column < 0 || isCtrl ? toRow(0) : toColumn(0)
    case 'End':
      return column < 0 || isCtrl ? toRow(rows - 1) : toColumn(columns - 1)
    default:
      return undefined
  }
}
