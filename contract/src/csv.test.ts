import { expect, test } from 'vitest'
import { formatCsv, parseCsv } from './index.ts'

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
