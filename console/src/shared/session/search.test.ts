import { expect, test } from 'vitest'
import { formatSearch, onlyKnown, parseId, parseSearch, parseText } from './search.ts'

test('an address is read and written as plain pairs', () => {
  expect(formatSearch(parseSearch('?q=123&machine=5&state=alarm'))).toBe('?q=123&machine=5&state=alarm')
  expect(formatSearch({ q: undefined, tab: '' })).toBe('')
})

test('an endless text of an address is cut', () => {
  expect(parseText('x'.repeat(1000))).toHaveLength(200)
})

test('a parameter that a screen refuses does not reach it as raw text', () => {
  const rule = onlyKnown(({ id }) => {
    const known = parseId(id)
    return known === undefined ? {} : { id: known }
  })
  // The router lays the answer over the raw address.
  const shown = (address: string) => ({ ...parseSearch(address), ...rule(parseSearch(address)) })
  expect(shown('?id=7')).toEqual({ id: 7 })
  expect(shown('?id=seven&other=1&lang=en')).toEqual({ lang: 'en' })
})
