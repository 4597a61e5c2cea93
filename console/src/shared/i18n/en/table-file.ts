import type { TableFileText } from '../cn/table-file.ts'

export const tableFileText: TableFileText = {
  preview: 'First lines of the file',
  encoding: 'Encoding',
  choose: 'Select',
  encodings: {
    'utf-8': 'UTF-8',
    'utf-16le': 'UTF-16',
    'utf-16be': 'UTF-16 (big-endian)',
    gb18030: 'GB18030 (Chinese Excel)',
    'windows-1252': 'Windows-1252 (Western Excel)',
  },
  delimiters: { ',': 'commas', ';': 'semicolons', '\t': 'tabs' },
  rows: (n, delimiter) => `${n} ${n === '1' ? 'row' : 'rows'} with the heading, separated by ${delimiter}`,
  hint: 'If letters look wrong, select another encoding.',
  empty: 'The file is empty.',
  tooLarge: 'The file is too large. Split it into several files.',
  unread: 'The file can’t be read.',
  faults: {
    text: (line, column) =>
      `Line ${line}, character ${column} doesn’t belong to this encoding. Select another encoding, or save the file again in your spreadsheet.`,
    quote: (line, column) =>
      `Line ${line}, character ${column}: this quote is never closed. Correct the file.`,
    workbook: 'This is an Excel workbook. In Excel, save it as CSV and select that file.',
  },
}
