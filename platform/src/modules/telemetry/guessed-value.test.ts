import { expect, test } from 'vitest'
import { guessType, readGuessed, typeOfJson } from './guessed-value.ts'

test('a first value that only looks like a number is a text', () => {
  for (const text of ['21.5', '0', '-3', '1', '21.299999237060547', '1e-05', '2.5E+10', '999999999999999']) {
    expect(guessType(text), text).toBe('float64')
  }
  const texts = [
    '007',
    '1e5',
    '+5',
    '0x1F',
    '6901234567892345',
    '21,5',
    '5.',
    '.5',
    'E2107',
    '1 2',
    'none',
    'NAN-3',
  ]
  for (const text of texts) expect(guessType(text), text).toBe('string')
  expect([guessType('true'), guessType('FALSE'), guessType(true)]).toEqual(['bool', 'bool', 'bool'])
  for (const text of ['', '  ', '----', '--.-', '***', null])
    expect(guessType(text), String(text)).toBeUndefined()
})

test('a value that says there is none shows no type', () => {
  const words = [
    '--',
    '--.-',
    '####',
    'N/A',
    'n.a.',
    'NA',
    'ERR',
    'Error',
    'NaN',
    '-nan',
    'nan(ind)',
    '1.#QNAN0',
    'Inf',
    '#DIV/0!',
    'null',
    ' N/A ',
  ]
  for (const word of words) expect([guessType(word), typeOfJson(word)], word).toEqual([undefined, undefined])
  expect([typeOfJson('21.5'), typeOfJson(''), typeOfJson('✓'), typeOfJson(1), typeOfJson(false)]).toEqual([
    'string',
    'string',
    'string',
    'float64',
    'bool',
  ])
})

test('a later value is read under the type the tag has', () => {
  const numbers = ['007', '+5', '1e5', '.5', '5.', ' 21.5 ', true, 3]
  expect(numbers.map((value) => readGuessed('float64', value))).toEqual([7, 5, 1e5, 0.5, 5, 21.5, 1, 3])
  for (const fault of ['----', '', 'ERROR', 'NaN', 'Infinity', '0x1F', '1e9999']) {
    expect(readGuessed('float64', fault), fault).toBeNull()
  }
  expect(['1', '0', 1, 0, 'TRUE', '2'].map((value) => readGuessed('bool', value))).toEqual([
    true,
    false,
    true,
    false,
    true,
    null,
  ])
  expect([readGuessed('string', 5), readGuessed('string', ''), readGuessed('string', false)]).toEqual([
    '5',
    '',
    'false',
  ])
  expect([
    readGuessed('int64', '+12'),
    readGuessed('int64', '9007199254740993'),
    readGuessed('int64', '1.5'),
  ]).toEqual([12n, 9007199254740993n, null])
})
