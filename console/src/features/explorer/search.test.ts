import { expect, it } from 'vitest'
import { formatSearch, parseSearch } from '../../shared/session/search.ts'
import { explorerSearch } from './search.ts'
import { stateOf } from './view-queries.ts'

it('reads back what an address says', () => {
  const search = {
    ...{ eid: 7, tags: [12, 5], from: 1_700_000_000_000, until: 1_700_003_600_000 },
    ...{ compare: 604_800_000, apart: true, form: 'xy', x: 5, y: 12, mark: 'n4' },
  } as const
  expect(explorerSearch(parseSearch(formatSearch(search)))).toEqual(search)
})

it('leaves out invalid values', () => {
  const raw = {
    tags: '5,x,5,-1',
    from: '9',
    until: '3',
    compare: '5',
    form: 'pie',
    x: '1',
    y: '2',
    mark: 'z1',
  }
  expect(explorerSearch(raw)).toEqual({ tags: [5] })
})

it('draws 20 variables at most', () => {
  const tags = Array.from({ length: 40 }, (_, place) => place + 1).join()
  expect(explorerSearch({ tags }).tags).toHaveLength(20)
})

it('keeps of an address the picture alone, with the span that is shown where the address names none', () => {
  expect(stateOf({ eid: 7, tags: [1], compare: 86_400_000, mark: 'a1' }, 3_600_000)).toEqual({
    tags: [1],
    last: 3_600_000,
    compare: 86_400_000,
  })
  expect(stateOf({ tags: [1], from: 1, until: 2 }, 3_600_000)).toEqual({ tags: [1], from: 1, until: 2 })
})
