import { readSources } from '@busbar/platform/test-support/tables/scan.ts'
import { expect, test } from 'vitest'
import { parseNumber, readTable, type TableOptions } from './read-table.ts'

const limits = { rowsMax: 20_000, refusal: 'TAG_FILE_TOO_LONG' } as const

test('columns are found by their names, and a row has an empty text where it has no cell', async () => {
  const table = await readTable('\nTag, UNIT ,\nflow,bar\n\nlevel', limits)
  expect([table.has('unit'), table.has('name')]).toEqual([true, false])
  const rows = await table.map((row) => [row.line, row.cell('tag'), row.cell('unit'), row.cell('name')])
  expect(rows).toEqual([
    [3, 'flow', 'bar', ''],
    [5, 'level', '', ''],
  ])
})

test('a long file held the event loop until all of it was read', async () => {
  const csv = `tag,name,unit\n${'a variable of the line,"a ""long"" name of it",bar\n'.repeat(20_000)}`
  const order: string[] = []
  const reading = readTable(csv, limits).then(async (table) => {
    order.push('read')
    setImmediate(() => order.push('another call'))
    await table.map((row) => row.cell('name').split(' ').sort().join().normalize())
    order.push('made')
  })
  setImmediate(() => order.push('another call'))
  await reading
  expect(order).toEqual(['another call', 'read', 'another call', 'made'])
})

test('the limit that a file exceeds is named, with the line', async () => {
  const why = (csv: string) =>
    readTable(csv, limits).then(
      () => undefined,
      ({ code, text }: { code: string; text: { en: string } }) => `${code}: ${text.en}`,
    )
  expect(await why(`tag\n${'a\n'.repeat(20_001)}`)).toBe(
    'TAG_FILE_TOO_LONG: The file has more than 20,000 rows. Split it into several files.',
  )
  expect(await why(`tag\n${','.repeat(1_300_000)}`)).toBe(
    'TAG_FILE_TOO_LONG: Line 2 has more than 256 columns. Check the separators of the file.',
  )
  expect(await why(`tag\na\n"${'x'.repeat(40_000)}`)).toBe(
    'TAG_FILE_TOO_LONG: Line 3 has a cell with more than 32,768 characters. Check the quotes of the file.',
  )
  expect(await why(`tag\n${'a\n'.repeat(19_999)}a`)).toBeUndefined()
})

/** Something about the only row of a file. */
async function only<Value>(
  text: string,
  read: (row: Parameters<Parameters<Awaited<ReturnType<typeof readTable>>['map']>[0]>[0]) => Value,
  options: TableOptions = limits,
): Promise<Value | undefined> {
  return (await (await readTable(text, options)).map(read))[0]
}

test('a decimal comma of a German Excel was refused', async () => {
  const minOf = (text: string) => only(text, (row) => row.number('min'))
  expect(await minOf('tag;min\na;80,5')).toBe(80.5)
  expect(await minOf('tag;min\na;-0,125')).toBe(-0.125)
  expect(await minOf('tag;min\na;80.5')).toBe(80.5)
  expect(await minOf('tag,min\na,"80,5"')).toBeUndefined()
  expect(await minOf('tag;min\na;1.234,5')).toBeUndefined()
  expect([parseNumber('99,5', '\t'), parseNumber('1,234', '\t')]).toEqual([99.5, undefined])
  expect(['', '0x10', 'Infinity', '1e3', '1E+3'].map((text) => parseNumber(text, ';'))).toEqual([
    undefined,
    undefined,
    undefined,
    1_000,
    1_000,
  ])
})

test('true and false in the words of another language were always true', async () => {
  const flagOf = (word: string) => only(`tag;writable\na;${word}`, (row) => row.flag('writable'))
  for (const word of ['WAHR', 'TRUE', 'Vrai', '1', '是']) expect(await flagOf(word)).toBe(true)
  for (const word of ['FALSCH', 'false', 'FAUX', '0', '否']) expect(await flagOf(word)).toBe(false)
  for (const word of ['', 'perhaps', '2']) expect(await flagOf(word)).toBeUndefined()
})

test('a separator too many moved the cells of a row', async () => {
  const isTooWide = (text: string) => only(text, (row) => row.isTooWide)
  expect(await isTooWide('tag,min,max\na,0,99,5')).toBe(true)
  expect(await isTooWide('tag,min,max\na,0,99,, ')).toBe(false)
})

test('a file without a heading has its columns in order, and a guarded secret stays one', async () => {
  const options = { ...limits, columns: { machineCode: ['machine code', 'pn'], password: ['密码'] } }
  const of = (text: string) =>
    only(text, (row) => [row.line, row.cell('machineCode'), row.exact('password')], options)
  expect(await of('12;x')).toEqual([1, '12', 'x'])
  expect(await of("密码,PN\n'=x,12")).toEqual([2, '12', "'=x"])
})

test('a place that cannot be read is named by line and column, and a lost character is not stored', async () => {
  const why = (text: string) =>
    only(text, (row) => row.cell('name')).then(
      () => undefined,
      ({ code, text: said }: { code: string; text: { en: string } }) => `${code}: ${said.en}`,
    )
  expect(await why('tag,name\na,"b')).toBe(
    'TABLE_UNREADABLE: Line 2, character 3: this quote is never closed.',
  )
  expect(await why('tag,name\na,b\0')).toBe('TABLE_UNREADABLE: Line 2, character 4 can’t be read.')
  expect(await why('tag,name\na,K\uFFFDhl')).toBe(
    'TABLE_UNREADABLE: Line 2, column “name”: a character was lost when the file was saved (�). Save it again from the original.',
  )
  expect(await why('name,tag,Name\na,b,c')).toBe(
    'TABLE_UNREADABLE: The file has more than one column “name”.',
  )
  expect(await why('tag,name,other\na,b,\uFFFD')).toBeUndefined()
})

test('no other code of the platform reads a file', () => {
  const reading = readSources().filter(({ text }) => /\b(?:parseCsv|openCsv)\b/.test(text))
  expect(reading.map(({ file }) => file)).toEqual(['kernel/files/read-table.ts'])
})
