import { expect, test } from 'vitest'
import { readTableFile } from './read-table-file.ts'

const german = { lang: 'en', zone: 'Europe/Berlin' } as const
const latin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

test('the platform gets the text that a person sees', () => {
  const file = readTableFile(latin("group;tag;name\r\n\r\n;temp;Kühlwasser\r\n;flow;'=1+1\r\n"), german)
  expect(file).toMatchObject({ encoding: 'windows-1252', delimiter: ';' })
  expect(file.lines).toEqual([
    { line: 1, cells: ['group', 'tag', 'name'] },
    { line: 3, cells: ['', 'temp', 'Kühlwasser'] },
    { line: 4, cells: ['', 'flow', '=1+1'] },
  ])
  expect(file.text).toContain(";temp;Kühlwasser\r\n;flow;'=1+1")
})

test('a person’s choice of an encoding goes before the guess', () => {
  const pump = Uint8Array.from(Buffer.from('cbaeb1c32c31', 'hex'))
  expect(readTableFile(pump, german, 'gb18030').lines).toEqual([{ line: 1, cells: ['水泵', '1'] }])
})
