import type { TextEncoding } from '@busbar/link'
import { expect, test } from 'vitest'
import type { TagValue } from '../../tag.ts'
import { parseS7Address } from './address.ts'
import { bytesOf } from './formats.ts'
import { decodeValue, encodeValue } from './values.ts'

const addressOf = (text: string) => {
  const address = parseS7Address(text)
  if (address === null) throw new Error(text)
  return address
}
const decode = (text: string, hex: string, encoding: TextEncoding = 'latin1') =>
  decodeValue(Buffer.from(hex.replaceAll(' ', ''), 'hex'), 0, addressOf(text), encoding)

// Bytes as the manuals of STEP 7 give them, or as its own display shows them.
const cases: [address: string, hex: string, value: TagValue][] = [
  ['M0.0', '01', true],
  ['M0.7', '7f', false],
  ['MB0', 'ff', 255],
  ['M,SINT0', 'ff', -1],
  ['MW0', 'fffe', 65_534],
  ['M,INT0', 'ff29', -215],
  ['MD0', 'ffffffff', 4_294_967_295],
  ['M,DINT0', 'f8a432eb', -123_456_789],
  ['M,REAL0', '41ac0000', 21.5],
  ['M,REAL0', '3dcccccd', 0.1],
  ['M,LREAL0', '400921fb54442d18', Math.PI],
  ['M,LINT0', 'ffdffffffffffffe', -9_007_199_254_740_994n],
  ['M,ULINT0', 'ffffffffffffffff', 18_446_744_073_709_551_615n],
  ['M,TIME0', 'fffffc18', -1_000],
  ['M,TOD0', '0526 5bff', 86_400_000 - 1],
  ['M,DATE0', '3397', '2026-02-28'],
  ['M,S5TIME0', '2127', 127_000],
  ['M,S5TIME0', '0999', 9_990],
  ['M,S5TIME0', '3999', 9_990_000],
  ['C0', '0123', 123],
  ['M,DT0', '26 11 23 13 20 05 12 32', '2026-11-23T13:20:05.123'],
  ['M,DT0', '95 01 31 23 59 59 00 03', '1995-01-31T23:59:59.000'],
  ['M,DTL0', '07ea 0b 17 02 0d 14 05 0754d4c0', '2026-11-23T13:20:05.123'],
  ['M,DTL0', '07ea 0b 17 02 0d 14 05 0754d4c1', '2026-11-23T13:20:05.123000001'],
  ['M,CHAR0.4', '41424320', 'ABC '],
]

test.each(cases)('%s: %s is %s, and written as it was read', (address, hex, value) => {
  expect(decode(address, hex)).toBe(value)
  const { format } = addressOf(address)
  if (format.type === 'BOOL') return
  const bytes = encodeValue(value, format, 'latin1')
  expect(bytes.toString('hex')).toBe(hex.replaceAll(' ', ''))
  expect(bytes).toHaveLength(bytesOf(format))
})

test('texts: their own length counts, and not what lies behind it', () => {
  expect(decode('M,STRING0.8', '08 02 4f4b 585858585858')).toBe('OK')
  expect(decode('M,WSTRING0.3', '0003 0002 6e29 5ea6 0058')).toBe('温度')
  expect(decode('M,STRING0.4', '04 01 e9 000000')).toBe('é')
  expect(decode('M,STRING0.4', '04 04 ced2b6c8', 'gbk')).toBe('我度')
  expect(decode('M,STRING0.3', '03 03 e6b8a9', 'utf8')).toBe('温')
  const written = (value: string, address: string, encoding: TextEncoding = 'latin1') =>
    encodeValue(value, addressOf(address).format, encoding).toString('hex')
  expect(written('OK', 'M,STRING0.8')).toBe('024f4b')
  expect(written('温度', 'M,WSTRING0.3')).toBe('00026e295ea6')
  expect(written('我度', 'M,STRING0.4', 'gbk')).toBe('04ced2b6c8')
  expect(written('ab', 'M,CHAR0.4')).toBe('61622020')
})

test('an invalid value is null', () => {
  expect(decode('M,REAL0', '7fc00000')).toBeNull()
  expect(decode('M,LREAL0', '7ff0000000000000')).toBeNull()
  expect(decode('M,S5TIME0', '200a')).toBeNull()
  expect(decode('C0', '000f')).toBeNull()
  expect(decode('M,DT0', '26 02 30 00 00 00 00 00')).toBeNull()
  expect(decode('M,DT0', '26 1a 01 00 00 00 00 00')).toBeNull()
  expect(decode('M,DTL0', '07ea 00 00 00 00 00 00 00000000')).toBeNull()
  // Longer than its room, or than the room that the configuration names: a part of a text would be another text.
  expect(decode('M,STRING0.4', '04 05 41414141')).toBeNull()
  expect(decode('M,STRING0.4', 'fe 05 41414141')).toBeNull()
  expect(decode('M,WSTRING0.1', '0001 0002 0041')).toBeNull()
})

test.each<[address: string, value: TagValue, message: string]>([
  ['MB0', 256, 'does not fit BYTE'],
  ['M,SINT0', -129, 'does not fit SINT'],
  ['M,INT0', 32_768, 'does not fit INT'],
  ['M,TOD0', 86_400_000, 'does not fit TIME_OF_DAY'],
  ['C0', 1_000, 'does not fit COUNTER'],
  ['M,REAL0', 1e300, 'does not fit REAL'],
  ['M,S5TIME0', 12_345, 'S5TIME cannot hold 12345 ms'],
  ['M,S5TIME0', 10_000_000, 'S5TIME cannot hold'],
  ['M,STRING0.4', '12345', 'does not fit STRING[4]'],
  ['M,DT0', '2026-02-30T00:00:00.000', 'is written like 2026-11-23T13:20:05.000'],
  ['M,DT0', '2090-01-01T00:00:00.000', 'has to be a day that it can hold'],
  ['M,DTL0', '2026-11-23T13:20:05', 'DTL is written like'],
  ['M,DATE0', '1989-12-31', 'DATE is written like 2026-11-23'],
])('%s does not take %s', (address, value, message) => {
  expect(() => encodeValue(value, addressOf(address).format, 'latin1')).toThrow(message)
})

test('a text that its encoding cannot hold names the character, and not the length', () => {
  const { format } = addressOf('M,STRING0.20')
  expect(() => encodeValue('NEU ÄÖ', format, 'gbk')).toThrow('the text encoding GBK does not have “Ä”')
  expect(() => encodeValue('温度', format, 'latin1')).toThrow(
    'the text encoding Windows-1252 does not have “温”',
  )
})
