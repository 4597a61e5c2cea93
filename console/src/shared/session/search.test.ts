import { expect, test } from 'vitest'
import { formatSearch, parseSearch, parseText } from './search.ts'

test('an address is read and written as plain pairs', () => {
  expect(formatSearch(parseSearch('?q=123&machine=5&state=alarm'))).toBe('?q=123&machine=5&state=alarm')
  expect(formatSearch({ q: undefined, tab: '' })).toBe('')
})

test('an endless text of an address is cut', () => {
  expect(parseText('x'.repeat(1000))).toHaveLength(200)
})
