import { demoMachineCode } from '@busbar/contract'
import { expect, test } from 'vitest'
import { parseImport, splitLines } from './parse-import.ts'

const code = '3020882951040806712'

test('a spreadsheet’s file is read as it comes: mark, head, empty lines, quotes', () => {
  const lines = splitLines(
    `\ufeffmachineCode,type,model,password\r\n${code},pump,"HX, ""T10""",label-42\r\n\r\n4${code.slice(1)},,\r\n`,
  )
  expect(parseImport(lines, 1)).toEqual({
    good: [
      { line: 2, code, type: 'pump', model: 'HX, "T10"', password: 'label-42' },
      { line: 4, code: `4${code.slice(1)}`, type: 'machine', model: '', password: undefined },
    ],
    refused: [],
  })
})

test.each([`${code};pump;HX`, `${code}\tpump\tHX`, ` ${code} , pump , HX `])(
  '%j has the same fields',
  (line) => {
    expect(parseImport([line], 7).good).toEqual([
      { line: 7, code, type: 'pump', model: 'HX', password: undefined },
    ])
  },
)

test.each([
  ['3.02088E+18,pump,HX', 'code'],
  [`${code}0,pump`, 'code'],
  ['machineCode,type', 'code'],
  [`${demoMachineCode},pump`, 'demo'],
  [`${code},${'型'.repeat(33)}`, 'type'],
  [`${code},pu\u0007mp`, 'type'],
  [`${code},pump,${'型'.repeat(65)}`, 'model'],
  [`${code},pump,HX,1234567`, 'password'],
  [`${code},pump,HX,password1`, 'commonPassword'],
  [`${code},pump,HX,label-42,more`, 'columns'],
  [`${code},"pump`, undefined],
])('%j is refused: %s', (line, reason) => {
  expect(parseImport([line], 2).refused.map((each) => each.reason)).toEqual(reason ? [reason] : [])
})

test('a code that stands there twice is taken once', () => {
  expect(parseImport([code, `${code},pump`], 1)).toMatchObject({
    good: [{ line: 1 }],
    refused: [{ line: 2, reason: 'twice' }],
  })
})
