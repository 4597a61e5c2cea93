/** A cell of a written file. Text of any person stays text; empty is null. */
export type Cell = string | number | bigint | boolean | null

/**
 * A number as files have it: with two digits more than people see of its variable. Of a computed one whose digits nobody
 * told 15, which hide the errors of its computation (rules/data-centre.md: cells).
 */
export function roundNumber(
  value: number,
  { digits, isComputed }: { readonly digits: number | null | undefined; readonly isComputed: boolean },
): number {
  if (digits === null || digits === undefined) return isComputed ? Number(value.toPrecision(15)) : value
  const power = 10 ** (digits + 2)
  const scaled = value * power
  return Math.abs(scaled) < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / power : value
}

/** A column of a written file. */
export interface Column {
  readonly header: string
  /**
   * `time` and `date`: its numbers are epoch milliseconds, written in the zone of the file. `text`: codes and secrets,
   * which nothing changes: neither a mark against formulas nor a spreadsheet that would read them as numbers. Default: as
   * the cell is.
   */
  readonly kind?: 'time' | 'date' | 'text' | undefined
  /** Digits after the decimal point that a spreadsheet shows; the value is kept whole. */
  readonly digits?: number | undefined
  /** Characters. */
  readonly width?: number | undefined
}

/** Rows in blocks: one block is in memory at a time, so a few thousand rows are enough for one. */
export type RowBlocks = Iterable<Rows> | AsyncIterable<Rows>
export type Rows = readonly (readonly Cell[])[]
