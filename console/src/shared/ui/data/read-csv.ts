/**
 * The lines of a file in UTF-8, or else in GB18030, which Excel writes in China (rules/console.md: files that
 * are imported).
 */
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
