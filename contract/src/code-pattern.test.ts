import { describe, expect, test } from 'vitest'
import {
  type CodePattern,
  findSharedCode,
  findTypeRule,
  fitsCodePattern,
  readCodePattern,
} from './code-pattern.ts'

function read(text: string): CodePattern {
  const found = readCodePattern(text)
  if ('wrong' in found) throw new Error(`${found.wrong} is no part of a pattern`)
  return found
}

describe('a pattern of machine codes', () => {
  test.each([
    ['a beginning', '8612*', ['8612000000000000000', '8612999999999999999'], ['8613000000000000000']],
    [
      'any digit in a place',
      '86?2*',
      ['8602000000000000000', '8692000000000000000'],
      ['8603000000000000000'],
    ],
    [
      'all places',
      '861200000000000000?',
      ['8612000000000000007'],
      ['8612000000000000017', '86120000000000000070'],
    ],
    [
      'a range of beginnings',
      '8600-8699',
      ['8600000000000000000', '8699999999999999999'],
      ['8700000000000000000'],
    ],
    [
      'a range of codes',
      '8600000000000000005 – 8600000000000000010',
      ['8600000000000000005', '8600000000000000010'],
      ['8600000000000000004', '8600000000000000011'],
    ],
    [
      'several parts',
      '11*，22*\n33-35',
      ['1100000000000000000', '2200000000000000000', '3400000000000000000'],
      ['4400000000000000000'],
    ],
    ['nothing', '', [], ['0000000000000000000']],
  ])('has the codes of %s', (_, text, inside, outside) => {
    const pattern = read(text)
    for (const code of inside) expect(fitsCodePattern(pattern, code), code).toBe(true)
    for (const code of outside) expect(fitsCodePattern(pattern, code), code).toBe(false)
  })

  test.each([
    ['a regular expression', '^(8+)+$'],
    ['every code there is', '*'],
    ['places without a digit', '????*'],
    ['too few places', '8612'],
    ['too many places', '86120000000000000000'],
    ['a star within', '86*12'],
    ['a range backwards', '8699-8600'],
    ['ends of a range with unlike lengths', '86-8699'],
    ['letters', '86AB*'],
  ])('is refused as %s', (_, text) => {
    expect(readCodePattern(text)).toEqual({ wrong: text })
  })

  test('is kept in one form', () => {
    expect(read(' 8600 ～ 8699 ；11*').text).toBe('8600-8699, 11*')
  })

  test.each([
    ['8612*', '8600-8699', '8612000000000000000'],
    ['86*', '8612*', '8612000000000000000'],
    ['8?9*', '850-878', '8590000000000000000'],
    ['8??0*', '8501-8509', undefined],
    ['86*', '87*', undefined],
    ['?9*', '20-28', undefined],
    ['?9*', '20-31', '2900000000000000000'],
  ])('%s shares with %s the code %s', (one, other, shared) => {
    expect(findSharedCode(read(one), read(other))).toBe(shared)
    expect(findSharedCode(read(other), read(one))).toBe(shared)
  })
})

test('a machine has the first type whose pattern has its code, and only then its registered one', () => {
  const rules = [
    { type: 'press', pattern: '' },
    { type: 'pump', pattern: '8612*' },
    { type: 'fan', pattern: '86*' },
  ]
  const typeOf = (code: string, type: string) => findTypeRule(rules, { code, type })
  expect(typeOf('8612000000000000000', 'press')).toEqual({ rule: rules[1], by: 'code' })
  expect(typeOf('8613000000000000000', 'press')).toEqual({ rule: rules[2], by: 'code' })
  expect(typeOf('1100000000000000000', 'press')).toEqual({ rule: rules[0], by: 'type' })
  expect(typeOf('1100000000000000000', 'robot')).toBeUndefined()
})
