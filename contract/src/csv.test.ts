import { expect, test } from 'vitest'
import { formatCsv } from './index.ts'

test('a text that a spreadsheet would take for a formula stays text', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
    expect(formatCsv([[`${sign}1`]])).toContain(`'${sign}1`)
})

test('numbers and times of our own stay as they are, and cells with separators are quoted', () => {
  expect(formatCsv([[{ exact: -1 }, 'a;b', 'say "x"', null]])).toBe('\uFEFF-1,"a;b","say ""x""",\r\n')
})
