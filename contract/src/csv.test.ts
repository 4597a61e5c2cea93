import { expect, test } from 'vitest'
import { CsvTooLarge, formatCsv, parseCsv, readCsvRows } from './index.ts'

test('a text that a spreadsheet would take for a formula stays text', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
    expect(formatCsv([[`${sign}1`]])).toContain(`'${sign}1`)
})

test('numbers and times of our own stay as they are, and cells with separators are quoted', () => {
  expect(formatCsv([[{ exact: -1 }, 'a;b', 'say "x"', null]])).toBe('\uFEFF-1,"a;b","say ""x""",\r\n')
})

test('a file is read back as it was written, also texts that a spreadsheet would treat as a formula', () => {
  const cells = ['=1+1', '-5', 'a,"b"', 'two\nlines', '', "it's"]
  const text = formatCsv([['one'], [], cells])
  expect(parseCsv(text)).toEqual([
    { line: 1, cells: ['one'] },
    { line: 3, cells },
  ])
  expect(parseCsv('a,b\n\nc')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['c'] },
  ])
})

test('a file of 1.3 million commas, lines or quotes is read to its limit and no further', () => {
  const limits = { rows: 3, cells: 4, characters: 5 }
  const read = (text: string) => {
    const lines: unknown[] = []
    try {
      for (const line of readCsvRows(text, limits)) lines.push(line?.cells.join())
    } catch (error) {
      if (!(error instanceof CsvTooLarge)) throw error
      return { lines, limit: error.limit, line: error.line }
    }
    return { lines }
  }
  const many = 1_300_000
  expect(read(`a\n${','.repeat(many)}`)).toEqual({ lines: ['a'], limit: 'cells', line: 2 })
  expect(read('a\n'.repeat(many))).toEqual({ lines: ['a', 'a', 'a'], limit: 'rows', line: 4 })
  expect(read('\n'.repeat(many))).toEqual({
    lines: [undefined, undefined, undefined],
    limit: 'rows',
    line: 4,
  })
  expect(read(`"a\nb"\n${'"'.repeat(many)}`)).toEqual({ lines: ['a\nb'], limit: 'characters', line: 3 })
  expect(read(`a\n${'x'.repeat(many)}`)).toEqual({ lines: ['a'], limit: 'characters', line: 2 })
  expect(read('1,2,3,4\n12345\nc')).toEqual({ lines: ['1,2,3,4', '12345', 'c'] })
})
