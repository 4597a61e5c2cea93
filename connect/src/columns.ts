/** Characters that take two columns of a terminal: Chinese and its punctuation, full-width forms. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

const widthOf = (character: string): number => (wide.test(character) ? 2 : 1)

/** Columns that a text takes in a terminal. */
export const countColumns = (text: string): number =>
  [...text].reduce((sum, character) => sum + widthOf(character), 0)

/** A text in exactly so many columns: cut, or filled with blanks. */
export function fit(text: string, columns: number): string {
  let cut = ''
  let taken = 0
  const isLong = countColumns(text) > columns
  for (const character of text) {
    if (taken + widthOf(character) > columns - (isLong ? 1 : 0)) break
    cut += character
    taken += widthOf(character)
  }
  if (isLong && columns > 0) {
    cut += '…'
    taken++
  }
  return cut + ' '.repeat(Math.max(0, columns - taken))
}

/** Rows below a head, each column as wide as its widest cell. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => countColumns(row[at] ?? ''))),
  )
  return rows.map((row) =>
    row
      .map((cell, at) => fit(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
