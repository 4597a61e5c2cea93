import type { ReactNode } from 'react'
import { type ColumnMeasure, fitColumns } from './fit-columns.ts'

/** The state of a row, for its cells. */
export interface RowState {
  /** The row the keyboard is on: its buttons are in the tab order. */
  readonly active: boolean
  /** One of the rows that are selected. */
  readonly selected: boolean
}

export interface GridColumn<Row> extends ColumnMeasure {
  readonly header: string
  /** The header is only for screen readers. */
  readonly headerHidden?: boolean
  /** In place of the header's text: a control. */
  readonly headerContent?: ReactNode
  readonly sortable?: boolean
  readonly resizable?: boolean
  /** The edge at which it is pinned if the columns are wider than the grid. */
  readonly sticky?: 'start' | 'end' | undefined
  /** The text of a tip on the header. */
  readonly hint?: string | undefined
  /** Of what kind its cells are, for the tests of what they may cut. */
  readonly kind?: string | undefined
  readonly cell: (row: Row, state: RowState) => ReactNode
}

/** A column that is drawn: its place among all of them, and how far from its edge it stays. */
export interface PlacedColumn<Row> extends GridColumn<Row> {
  readonly index: number
  readonly offset: number
}

/**
 * The columns that fit a width; where they are wider than that, those that stay at an edge with their
 * distance from it. If all of them fit, nothing scrolls sideways and no cell is pinned: pinning costs drawing
 * time.
 */
export function placeColumns<Row>(columns: readonly GridColumn<Row>[], width: number): PlacedColumn<Row>[] {
  const kept = fitColumns(columns, width)
  const isWider = kept.reduce((sum, { widthMin }) => sum + widthMin, 0) > width
  const fitting = isWider ? kept : kept.map((column) => ({ ...column, sticky: undefined }))
  const distances = { start: 0, end: 0 }
  const offsets = new Map<string, number>()
  for (const { id, sticky, widthMin } of fitting) {
    if (sticky !== 'start') continue
    offsets.set(id, distances.start)
    distances.start += widthMin
  }
  for (const { id, sticky, widthMin } of fitting.toReversed()) {
    if (sticky !== 'end') continue
    offsets.set(id, distances.end)
    distances.end += widthMin
  }
  return fitting.map((column) => ({
    ...column,
    index: columns.findIndex(({ id }) => id === column.id),
    offset: offsets.get(column.id) ?? 0,
  }))
}

/** Whether rows drawn with the one set of columns look the same with the other: widths are the grid's. */
export function drawsAlike<Row>(
  before: readonly PlacedColumn<Row>[],
  after: readonly PlacedColumn<Row>[],
): boolean {
  return (
    before.length === after.length &&
    before.every((column, place) => {
      const other = after[place]
      return (
        column.id === other?.id &&
        column.cell === other.cell &&
        column.index === other.index &&
        column.sticky === other.sticky &&
        column.offset === other.offset
      )
    })
  )
}
