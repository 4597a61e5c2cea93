import { expect, it } from 'vitest'
import { listRefusedLines } from './refused-lines.ts'

const usual = ['iccid', 'machineCode', 'plan', 'expireAt']
const refused = [{ line: 2, reason: 'plan' }]

it('keeps the columns of a file with a heading, and fills short lines', () => {
  const csv = 'plan;ICCID;end\nGold;8986001;\n;8986002\n'
  expect(listRefusedLines(csv, [{ line: 3, reason: 'plan' }], usual)).toEqual({
    heading: ['plan', 'ICCID', 'end'],
    rows: [{ cells: ['', '8986002', ''], line: 3, reason: 'plan' }],
  })
})

it('names the columns of a file without a heading, and undoes the guard of a spreadsheet', () => {
  const csv = '8986001,,Gold\n"=""8986002""",,Silver\n'
  expect(listRefusedLines(csv, refused, usual)).toEqual({
    heading: usual,
    rows: [{ cells: ['8986002', '', 'Silver', ''], line: 2, reason: 'plan' }],
  })
})

it('keeps the number of a line after empty ones', () => {
  expect(listRefusedLines('\n8986001,1,2,3', refused, usual).rows[0]?.cells[0]).toBe('8986001')
})
