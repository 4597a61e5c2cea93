/** The width that a column needs, in pixels. */
export interface ColumnMeasure {
  readonly id: string
  readonly widthMin: number
  /** Its share of the remaining width; without it the column keeps its least width. */
  readonly grow?: number
  /** When space is short, the highest rank is hidden first; 0 always stays. */
  readonly rank: number
}

/** The columns that fit a width, in their order. Rank 0 stays even if it does not fit. */
export function fitColumns<C extends ColumnMeasure>(columns: readonly C[], width: number): C[] {
  let kept = [...columns]
  let needed = kept.reduce((sum, column) => sum + column.widthMin, 0)
  const leaving = columns.filter((column) => column.rank > 0).sort((a, b) => b.rank - a.rank)
  for (const column of leaving) {
    if (needed <= width) break
    kept = kept.filter((other) => other !== column)
    needed -= column.widthMin
  }
  return kept
}

/** The `grid-template-columns` of a row. Every row has the same, so columns stand straight without a table. */
export function columnTemplate(columns: readonly ColumnMeasure[]): string {
  return columns
    .map(({ widthMin, grow }) => (grow ? `minmax(${widthMin}px, ${grow}fr)` : `${widthMin}px`))
    .join(' ')
}
