import { openCsv, unguard } from '@busbar/contract'

/** Names of the first column, by which the platform finds a heading. */
const firstNames = ['iccid', '卡号']

interface RefusedLines<Reason> {
  /** That of the file, or the usual one where it has none. */
  readonly heading: readonly string[]
  readonly rows: readonly {
    readonly cells: readonly string[]
    readonly line: number
    readonly reason: Reason
  }[]
}

/** The lines of a table that the platform refused, as they were written. */
export function listRefusedLines<Reason>(
  csv: string,
  refused: readonly { readonly line: number; readonly reason: Reason }[],
  usual: readonly string[],
): RefusedLines<Reason> {
  const lines = new Map<number, readonly string[]>()
  let first: readonly string[] | undefined
  for (const row of openCsv(csv).rows()) {
    if (!row) continue
    const cells = row.cells.map(unguard)
    first ??= cells
    lines.set(row.line, cells)
  }
  const isHeaded = first?.some((cell) => firstNames.includes(cell.trim().toLowerCase()))
  const heading = isHeaded && first ? first : usual
  return {
    heading,
    rows: refused.map(({ line, reason }) => {
      const cells = lines.get(line) ?? []
      const missing = Array.from({ length: Math.max(0, heading.length - cells.length) }, () => '')
      return { cells: [...cells, ...missing], line, reason }
    }),
  }
}
