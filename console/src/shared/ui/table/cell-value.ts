/** A value that rows are sorted, searched and filtered by. */
export type CellValue = string | number | boolean | null | undefined
