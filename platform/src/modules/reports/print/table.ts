import { contentWidth, ink, margin, type Sheet } from './sheet.ts'

/** A column of a table; `share` of the width that is left by the others. */
export interface TableColumn {
  readonly head: string
  readonly share: number
  readonly isRight?: boolean
}

/** A cell: a text, or one with a colour; `bar` from 0 to 1 is drawn below it. */
export type TableCell = string | { readonly text: string; readonly color?: string; readonly bar?: number }

export interface TableRow {
  readonly cells: readonly TableCell[]
  /** Stands over the rows that follow, across the whole width. */
  readonly isGroup?: boolean
}

const size = 8
const pad = 5
const lineHeight = 10.5
const headStyle = { size: 7.5, weight: 'bold', color: ink.soft } as const
const linesMax = 2

/**
 * Draws a table below the filled part of the page. Its head is repeated on each page, a row is never cut in two, and
 * the head of a group is never the last line of a page.
 */
export function drawTable(
  sheet: Sheet,
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  words: { readonly continued: string },
): void {
  const total = columns.reduce((sum, { share }) => sum + share, 0)
  const widths = columns.map(({ share }) => (share / total) * contentWidth)
  const head = columns.map(({ head: text, isRight }, place) => ({
    lines: sheet.wrap(text, (widths[place] as number) - 2 * pad, headStyle, 2),
    isRight,
  }))
  const headHeight = Math.max(...head.map(({ lines }) => lines.length)) * 9.5 + 8

  const drawHead = () => {
    sheet.rect(margin.left, sheet.y, contentWidth, headHeight, ink.fill, 2)
    let x: number = margin.left
    for (const [place, { lines, isRight }] of head.entries()) {
      const width = widths[place] as number
      for (const [line, text] of lines.entries()) {
        const y = sheet.y + headHeight - 6 - (lines.length - 1 - line) * 9.5
        if (isRight) sheet.textRight(text, x + width - pad, y, headStyle)
        else sheet.text(text, x + pad, y, headStyle)
      }
      x += width
    }
    sheet.y += headHeight
  }

  sheet.need(headHeight + 3 * lineHeight + 12)
  drawHead()
  let group = ''
  for (const [place, row] of rows.entries()) {
    const lines = row.cells.map((cell, column) =>
      sheet.wrap(
        textOf(cell),
        (row.isGroup ? contentWidth : (widths[column] as number)) - 2 * pad,
        { size, weight: row.isGroup ? 'bold' : 'normal' },
        linesMax,
      ),
    )
    const height = Math.max(1, ...lines.map(({ length }) => length)) * lineHeight + 6
    const next = row.isGroup && rows[place + 1] ? lineHeight + 8 : 0
    if (row.isGroup) group = textOf(row.cells[0] ?? '')
    if (sheet.need(height + next)) {
      drawHead()
      if (group && !row.isGroup) {
        sheet.text(
          sheet.fit(`${group} (${words.continued})`, contentWidth - 2 * pad, { size, weight: 'bold' }),
          margin.left + pad,
          sheet.y + lineHeight + 1,
          { size, weight: 'bold', color: ink.soft },
        )
        sheet.y += lineHeight + 6
      }
    }
    let x: number = margin.left
    for (const [column, cell] of row.cells.entries()) {
      const width = row.isGroup ? contentWidth : (widths[column] as number)
      const look: Exclude<TableCell, string> = typeof cell === 'string' ? { text: cell } : cell
      const style = {
        size,
        ...(row.isGroup ? { weight: 'bold' as const } : {}),
        ...(look.color ? { color: look.color } : {}),
      }
      for (const [line, text] of (lines[column] ?? []).entries()) {
        const y = sheet.y + lineHeight + line * lineHeight
        if (columns[column]?.isRight && !row.isGroup) sheet.textRight(text, x + width - pad, y, style)
        else sheet.text(text, x + pad, y, style)
      }
      if (look.bar !== undefined) drawBar(sheet, x + pad, sheet.y + 5.5, width - 2 * pad, look.bar)
      x += width
    }
    sheet.y += height
    sheet.line(margin.left, sheet.y, margin.left + contentWidth, sheet.y)
  }
  sheet.y += 6
}

const textOf = (cell: TableCell): string => (typeof cell === 'string' ? cell : cell.text)

function drawBar(sheet: Sheet, x: number, y: number, width: number, share: number): void {
  sheet.rect(x, y, width, 5, ink.line, 2.5)
  if (share > 0)
    sheet.rect(x, y, Math.max(width * Math.min(share, 1), 2), 5, share < 0.9 ? ink.warn : ink.good, 2.5)
}
