import { expect, test } from 'vitest'
import { decode, shortNumber, wordOrders } from './registers.ts'

test('a value is read in all four orders of words and bytes', () => {
  // 12.5 as a float is 41 48 00 00.
  expect(decode([0x4148, 0x0000], 0, 'float32', 'ABCD')).toBe(12.5)
  expect(decode([0x0000, 0x4148], 0, 'float32', 'CDAB')).toBe(12.5)
  expect(decode([0x4841, 0x0000], 0, 'float32', 'BADC')).toBe(12.5)
  expect(decode([0x0000, 0x4841], 0, 'float32', 'DCBA')).toBe(12.5)
  expect(decode([0xffff], 0, 'int16', 'ABCD')).toBe(-1)
  expect(decode([0, 0, 0, 7], 0, 'uint64', 'ABCD')).toBe(7n)
})

test('BCD is its digits, and nothing where one is above 9', () => {
  expect(decode([0x1234], 0, 'bcd16', 'ABCD')).toBe(1_234)
  expect(decode([0x5678, 0x1234], 0, 'bcd32', 'CDAB')).toBe(12_345_678)
  expect(decode([0x12a4], 0, 'bcd16', 'ABCD')).toBeNull()
})

test('a value that does not fit or is invalid is null and drawn as a dash', () => {
  expect(decode([1], 0, 'uint32', 'ABCD')).toBeNull()
  expect(wordOrders.map((order) => decode([0x7fc0, 0x7fc0], 0, 'float32', order)).at(0)).toBeNull()
  expect(shortNumber(null)).toBe('–')
  expect(shortNumber(1.401298464324817e-45)).toBe('1.401e-45')
})
