import { demoMachineCode, operator } from '@busbar/contract'
import { expect, test } from 'vitest'
import { readMachines as readBeside } from './read-machines.ts'

const code = '3020882951040806712'
const selfRegistered = { from: '0100000000000000000', to: '0199999999999999999' }
const readMachines = (csv: string) => readBeside(csv, selfRegistered)

test('a spreadsheet’s file is read as it comes: mark, head, empty lines, quotes', async () => {
  const csv = `\ufeffmachineCode,type,model,password\r\n${code},pump,"HX, ""T10""",label-42\r\n\r\n4${code.slice(1)},,\r\n`
  expect(await readMachines(csv)).toEqual({
    good: [
      { line: 2, code, type: 'pump', model: 'HX, "T10"', password: 'label-42' },
      { line: 4, code: `4${code.slice(1)}`, type: 'machine', model: '', password: undefined },
    ],
    refused: [],
  })
})

test.each([
  `${code};pump;HX`,
  `${code}\tpump\tHX`,
  ` ${code} , pump , HX `,
  `型号;类型;机器码\nHX;pump;${code}`,
])('%j has the same fields', async (csv) => {
  const { good } = await readMachines(csv)
  expect(good).toMatchObject([{ code, type: 'pump', model: 'HX', password: undefined }])
})

test.each([
  ['3.02088E+18,pump,HX', 'code'],
  [`${code}0,pump`, 'code'],
  [`${demoMachineCode},pump`, 'demo'],
  [`${selfRegistered.from},pump`, 'selfRegistered'],
  [`${selfRegistered.to},pump`, 'selfRegistered'],
  ['0200000000000000000,pump', undefined],
  [`${code},${'型'.repeat(33)}`, 'type'],
  [`${code},pu\u0007mp`, 'type'],
  [`${code},pump,${'型'.repeat(65)}`, 'model'],
  [`${code},pump,HX,1234567`, 'password'],
  [`${code},pump,HX,password1`, 'commonPassword'],
  [`${code},pump,HX,label-42,more`, 'columns'],
  [`${code},"pump"`, undefined],
])('%j is refused: %s', async (csv, reason) => {
  expect((await readMachines(csv)).refused.map((each) => each.reason)).toEqual(reason ? [reason] : [])
})

test('a code that stands there twice is taken once', async () => {
  expect(await readMachines(`${code},\n${code},pump`)).toMatchObject({
    good: [{ line: 1 }],
    refused: [{ line: 2, reason: 'twice' }],
  })
})

test('a password that looks like a formula, or like our mark against one, stays itself', async () => {
  for (const password of ['-secret42', '=secret42', "'=secret42", '@secret42'])
    expect((await readMachines(`${code},pump,HX,${password}`)).good).toMatchObject([{ password }])
})

test('a file of more lines than one import takes is refused as a whole', async () => {
  const csv = `${code}\n`.repeat(operator.importLinesMax + 2)
  await expect(readMachines(csv)).rejects.toMatchObject({ code: '12010302' })
})
