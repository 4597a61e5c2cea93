/** A cell of a written file. Text of any person stays text; empty is null. */
export type Cell = string | number | bigint | boolean | null

/** A column of a written file. */
export interface Column {
  readonly header: string
  /** `time` and `date`: its numbers are epoch milliseconds, written in the zone of the file; default: as the cell is. */
  readonly kind?: 'time' | 'date' | undefined
  /** Digits after the decimal point that a spreadsheet shows; the value is kept whole. */
  readonly digits?: number | undefined
  /** Characters. */
  readonly width?: number | undefined
}

/** Rows in blocks: one block is in memory at a time, so a few thousand rows are enough for one. */
export type RowBlocks = Iterable<Rows> | AsyncIterable<Rows>
export type Rows = readonly (readonly Cell[])[]
