/** How much of a file is read: its rows, the cells of a row, and the characters of a cell. */
export interface TableLimits {
  readonly rows: number
  readonly cells: number
  readonly characters: number
}

/**
 * The fault of a file: it exceeds a limit; it has bytes without a character (`text`); nothing ends a quote (`quote`); or
 * it is a workbook instead of a text.
 */
export type TableFaultKind = keyof TableLimits | 'text' | 'quote' | 'workbook'

/** A file that cannot be read, with the place of the fault; nothing after that place was read. */
export class TableFault extends Error {
  override name = 'TableFault'
  readonly kind: TableFaultKind
  /** From 1, as a text editor counts. */
  readonly line: number
  /** The character of the line, from 1. */
  readonly column: number

  constructor(kind: TableFaultKind, place: { readonly line: number; readonly column: number }) {
    super(`line ${place.line}, character ${place.column}: ${kind}`)
    this.kind = kind
    this.line = place.line
    this.column = place.column
  }
}

/** The line and the character of a place in a text. */
export function placeIn(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split(/\r\n|\n|\r/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
