/** The lines of a file, in UTF-8 or, where it is not that, GB18030 (decision 48). */
export function decodeCsv(bytes: ArrayBuffer): string[] {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    text = new TextDecoder('gb18030').decode(bytes)
  }
  const lines = text.split(/\r\n|\n|\r/)
  while (lines.at(-1)?.trim() === '') lines.pop()
  return lines
}

/** A file a spreadsheet opens as it is: UTF-8 with its mark; what looks like a formula is made harmless, codes stay text. */
export function encodeCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map((cell) => quote(neutralise(cell))).join(','))
  return `\ufeff${lines.join('\r\n')}\r\n`
}

function neutralise(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
