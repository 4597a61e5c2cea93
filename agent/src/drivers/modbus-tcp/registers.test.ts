import { expect, test } from 'vitest'
import type { TagType, TagValue } from '../../tag.ts'
import type { RegisterFormat, WordOrder } from './registers.ts'
import { decodeRegisters, encodeRegisters, registerCount, tagTypeOf, wordOrders } from './registers.ts'

function decode(registers: number[], type: TagType, wordOrder: WordOrder = 'ABCD'): TagValue | null {
  return decodeRegisters(registers, 0, { type, wordOrder, bit: null, stringBytes: 0 })
}

/** Registers that hold `bytes` (highest first) in a word order, by the letters' own definition. */
function arranged(bytes: number[], wordOrder: WordOrder): number[] {
  const swapBytes = wordOrder === 'BADC' || wordOrder === 'DCBA'
  const words: number[] = []
  for (let index = 0; index < bytes.length; index += 2) {
    const [high, low] = [bytes[index] as number, bytes[index + 1] as number]
    words.push(swapBytes ? (low << 8) | high : (high << 8) | low)
  }
  return wordOrder === 'CDAB' || wordOrder === 'DCBA' ? words.reverse() : words
}

test('the four word orders of a well-known float', () => {
  // 123456.0 is 47 F1 20 00.
  expect(decode([0x47f1, 0x2000], 'float32', 'ABCD')).toBe(123456)
  expect(decode([0x2000, 0x47f1], 'float32', 'CDAB')).toBe(123456)
  expect(decode([0xf147, 0x0020], 'float32', 'BADC')).toBe(123456)
  expect(decode([0x0020, 0xf147], 'float32', 'DCBA')).toBe(123456)
})

test('every type in every order', () => {
  const cases: [TagType, number, (view: DataView) => void, TagValue][] = [
    ['int32', 4, (view) => view.setInt32(0, -123456789), -123456789],
    ['uint32', 4, (view) => view.setUint32(0, 4294967295), 4294967295],
    ['float32', 4, (view) => view.setFloat32(0, -0.5), -0.5],
    ['int64', 8, (view) => view.setBigInt64(0, -9007199254740993n), -9007199254740993n],
    ['uint64', 8, (view) => view.setBigUint64(0, 18446744073709551615n), 18446744073709551615n],
    ['float64', 8, (view) => view.setFloat64(0, Math.PI), Math.PI],
    ['int16', 2, (view) => view.setInt16(0, -2), -2],
    ['uint16', 2, (view) => view.setUint16(0, 65534), 65534],
  ]
  for (const [type, bytes, set, value] of cases) {
    const view = new DataView(new ArrayBuffer(bytes))
    set(view)
    for (const wordOrder of wordOrders) {
      const registers = arranged([...new Uint8Array(view.buffer)], wordOrder)
      expect(registers).toHaveLength(registerCount({ type, stringBytes: 0 }))
      expect(decode(registers, type, wordOrder), `${type} ${wordOrder}`).toBe(value)
    }
  }
})

test('a float32 written as 0.1 is 0.1, and not 0.10000000149011612', () => {
  expect(decode([0x3dcc, 0xcccd], 'float32')).toBe(0.1)
})

test('a value from the middle of a block', () => {
  const format = { type: 'uint32' as const, wordOrder: 'ABCD' as const, bit: null, stringBytes: 0 }
  expect(decodeRegisters([9, 9, 1, 2, 9], 2, format)).toBe(65538)
})

test('NaN and infinities are invalid', () => {
  expect(decode([0x7fc0, 0], 'float32')).toBeNull()
  expect(decode([0x7f80, 0], 'float32')).toBeNull()
  expect(decode([0xfff0, 0, 0, 0], 'float64')).toBeNull()
})

test('each bit of a register', () => {
  for (let bit = 0; bit < 16; bit++) {
    const format = { type: 'bool' as const, wordOrder: 'ABCD' as const, bit, stringBytes: 0 }
    expect(decodeRegisters([1 << bit], 0, format)).toBe(true)
    expect(decodeRegisters([0xffff ^ (1 << bit)], 0, format)).toBe(false)
  }
})

test('BCD: four digits a register, in each order, and no value of digits above 9', () => {
  const of = (registerType: 'bcd16' | 'bcd32' | 'bcd64', wordOrder: WordOrder = 'ABCD') => ({
    type: tagTypeOf(registerType),
    registerType,
    wordOrder,
    bit: null,
    stringBytes: 0,
  })
  const read = (registers: number[], format: RegisterFormat) => decodeRegisters(registers, 0, format)
  expect(read([0x1234], of('bcd16'))).toBe(1_234)
  expect(read([0x3412], of('bcd16', 'BADC'))).toBe(1_234)
  expect(read([0x5678, 0x1234], of('bcd32', 'CDAB'))).toBe(12_345_678)
  expect(read([0x9999, 0x9999, 0x9999, 0x9999], of('bcd64'))).toBe(9_999_999_999_999_999n)
  expect(read([0x12a4], of('bcd16'))).toBeNull()
  expect(read([0xffff, 0xffff], of('bcd32'))).toBeNull()
  const cases: [number | bigint, RegisterFormat, number[] | null][] = [
    [1_234, of('bcd16'), [0x1234]],
    [10_000, of('bcd16'), null],
    [-1, of('bcd16'), null],
    [45_678, of('bcd32', 'CDAB'), [0x5678, 0x0004]],
    [1_000_000_000_000_000n, of('bcd64'), [0x1000, 0, 0, 0]],
  ]
  for (const [value, format, registers] of cases) expect(encodeRegisters(value, format)).toEqual(registers)
})

test('a text in GBK is what the panel shows, and is written as the panel reads it', () => {
  const format = { type: 'string' as const, wordOrder: 'ABCD' as const, bit: null, stringBytes: 12 }
  const gbk = { ...format, textEncoding: 'gbk' as const }
  const registers = [0xd7a2, 0xcbdc, 0xbbfa, 0x33ba, 0xc500, 0]
  expect(decodeRegisters(registers, 0, gbk)).toBe('注塑机3号')
  expect(encodeRegisters('注塑机3号', gbk)).toEqual(registers)
  expect(() => encodeRegisters('Größe', gbk)).toThrow('the text encoding GBK does not have “ö”')
  expect(encodeRegisters('注塑机注塑机3', gbk)).toBeNull()
  expect(encodeRegisters('Größe', { ...format, textEncoding: 'latin1' })).toEqual([
    0x4772, 0xf6df, 0x6500, 0, 0, 0,
  ])
})

test('strings: padding, odd lengths, swapped bytes, Chinese, and bytes that are not UTF-8', () => {
  const text = (registers: number[], stringBytes: number, wordOrder: WordOrder = 'ABCD') =>
    decodeRegisters(registers, 0, { type: 'string', wordOrder, bit: null, stringBytes })
  expect(text([0x4142, 0x4300, 0x5858], 6)).toBe('ABC')
  expect(text([0x4142, 0x4320], 4)).toBe('ABC')
  expect(text([0x4142, 0x4358], 3)).toBe('ABC')
  expect(text([0x4241, 0x0043], 4, 'BADC')).toBe('ABC')
  // Words of a string keep their order.
  expect(text([0x4241, 0x0043], 4, 'DCBA')).toBe('ABC')
  expect(text([0xe6b8, 0xa9e5, 0xbaa6], 6)).toBe('温度')
  expect(text([0x41e9], 2)).toBe('Aé')
})
