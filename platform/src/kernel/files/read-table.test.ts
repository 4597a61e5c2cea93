import { readSources } from '@busbar/platform/test-support/tables/scan.ts'
import { expect, test } from 'vitest'
import { readTable } from './read-table.ts'

const limits = { rowsMax: 20_000, refusal: 'TAG_FILE_TOO_LONG' } as const

test('columns are found by their names, and a row has an empty text where it has no cell', async () => {
  const table = await readTable('\ntag, unit ,\nflow,bar\n\nlevel', limits)
  expect([table.has('unit'), table.has('name')]).toEqual([true, false])
  const rows = await table.map(({ line, cell }) => [line, cell('tag'), cell('unit'), cell('name')])
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
    await table.map(({ cell }) => cell('name').split(' ').sort().join().normalize())
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

test('no other code of the platform reads a file at once', () => {
  const reading = readSources().filter(({ text }) => /\b(?:parseCsv|readCsvRows)\b/.test(text))
  expect(reading.map(({ file }) => file)).toEqual(['kernel/files/read-table.ts'])
})
