import { expect, test } from 'vitest'
import { parseSearch } from '../shared/session/search.ts'
import { rootSearch } from './search.ts'

test('a wrong language or client of an address is dropped', () => {
  expect(rootSearch(parseSearch('?lang=de&client=pc'))).toEqual({})
  expect(rootSearch(parseSearch('?lang=en&client=tv'))).toEqual({ lang: 'en', client: 'tv' })
})
