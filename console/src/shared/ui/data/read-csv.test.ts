import { expect, test } from 'vitest'
import { decodeCsv } from './read-csv.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex')).buffer

test('a file of a Chinese Excel reads as one of any other program', () => {
  const lines = ['水泵,1', '2']
  expect(decodeCsv(Uint8Array.from(Buffer.from(`\ufeff${lines.join('\r\n')}\r\n\r\n`)).buffer)).toEqual(lines)
  expect(decodeCsv(bytes('cbaeb1c32c310d0a32'))).toEqual(lines)
})
