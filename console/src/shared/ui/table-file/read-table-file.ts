import {
  type CsvLine,
  type Delimiter,
  decodeTable,
  openCsv,
  type TableEncoding,
  type TableReader,
  unguard,
} from '@busbar/contract'

/** A file as it was read; `text` is what the platform gets, which reads the same rows from it. */
export interface TableFile {
  readonly text: string
  readonly encoding: TableEncoding
  readonly delimiter: Delimiter
  /** The rows that are not empty, the heading first. */
  readonly lines: readonly CsvLine[]
}

/** Reads a file of a person, in the encoding that they chose if any. @throws TableFault */
export function readTableFile(bytes: Uint8Array, reader: TableReader, chosen?: TableEncoding): TableFile {
  const { text, encoding } = decodeTable(bytes, reader, chosen)
  const csv = openCsv(text)
  const lines: CsvLine[] = []
  for (const row of csv.rows()) if (row) lines.push({ line: row.line, cells: row.cells.map(unguard) })
  return { text, encoding, delimiter: csv.delimiter, lines }
}
