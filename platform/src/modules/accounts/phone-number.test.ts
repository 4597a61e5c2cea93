import { describe, expect, test } from 'vitest'
import { parseAccountName } from './account-name.ts'
import { listCountryCodes } from './country-codes.ts'
import { parsePhoneNumber } from './phone-number.ts'

describe('a phone as it was typed', () => {
  test.each([
    ['13812345678', '86', '86 13812345678'],
    ['8613812345678', '86', '86 13812345678'],
    ['+86 138 1234 5678', '86', '86 13812345678'],
    ['0086-138-1234-5678', '1', '86 13812345678'],
    ['0151 23456789', '49', '49 15123456789'],
    ['+49 (151) 2345-6789', '86', '49 15123456789'],
    ['2025550123', '1', '1 2025550123'],
    ['+852 5123 4567', '86', '852 51234567'],
  ])('%s with country %s is %s', (typed, countryCode, expected) => {
    const read = parsePhoneNumber(typed, countryCode)
    expect(read && `${read.countryCode} ${read.phone}`).toBe(expected)
  })

  test.each([
    ['12812345678', '86'],
    ['1381234567', '86'],
    ['138123456789', '86'],
    ['02012345678', '86'],
    ['12345', '49'],
    ['13812345678', '999'],
    ['１３８１２３４５６７８', '86'],
    ['138\u200b12345678', '86'],
    ['+', '86'],
    ['', '86'],
  ])('%s with country %s is not a number', (typed, countryCode) => {
    expect(parsePhoneNumber(typed, countryCode)).toBeUndefined()
  })

  test('an at-sign makes it an e-mail, in small letters', () => {
    expect(parseAccountName(' Li@Example.TEST ', '86')).toEqual({ email: 'li@example.test' })
  })
})

test('countries have a name in both languages; 86 stands first', () => {
  const countryCodes = listCountryCodes()
  expect(countryCodes[0]).toEqual({ country: 'China', chineseName: '中国', dialCode: '86' })
  expect(countryCodes.length).toBeGreaterThan(200)
  for (const entry of countryCodes) {
    expect(entry.chineseName).toMatch(/\p{Script=Han}/u)
    expect(entry.country).toMatch(/^\p{Lu}|^[a-z]+land/u)
    expect(entry.dialCode).toMatch(/^\d{1,4}$/)
  }
})
