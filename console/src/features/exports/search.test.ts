import { expect, test } from 'vitest'
import { exportsSearch, parseTags } from './search.ts'

test('an address keeps ids and a span that ends after it begins', () => {
  expect(exportsSearch({ tags: '3,x,3,-1,4', from: '10', to: '20', tz: 'UTC', eid: '7' })).toEqual({
    tags: '3,4',
    from: 10,
    to: 20,
    tz: 'UTC',
    eid: 7,
  })
  expect(exportsSearch({ tags: '', from: '20', to: '10' })).toEqual({})
  expect(parseTags(Array.from({ length: 600 }, (_, id) => id + 1).join())).toHaveLength(500)
})
