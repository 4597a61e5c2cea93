import { describe, expect, it } from 'vitest'
import { formatSearch, listSearch, parseSearch, rootSearch } from './search.ts'

describe('what an address says', () => {
  it('reads and writes plain pairs', () => {
    expect(formatSearch(parseSearch('?q=123&machine=5&state=alarm'))).toBe('?q=123&machine=5&state=alarm')
    expect(formatSearch({ q: undefined, tab: '' })).toBe('')
  })

  it('keeps what the device list knows', () => {
    expect(
      listSearch(parseSearch('?listType=list&machine=5&q=007&state=alarm&group=2&sort=name&tab=tags')),
    ).toEqual({
      listType: 'list',
      machine: 5,
      q: '007',
      state: 'alarm',
      group: 2,
      sort: 'name',
      tab: 'tags',
    })
  })

  it('drops what is wrong, so that a wrong address still opens its screen', () => {
    expect(listSearch(parseSearch('?listType=x&machine=-1&state=red&group=1.5&q='))).toEqual({})
    expect(rootSearch(parseSearch('?lang=de&client=pc'))).toEqual({})
    expect(rootSearch(parseSearch('?lang=en&client=tv'))).toEqual({ lang: 'en', client: 'tv' })
  })

  it('cuts an endless search', () => {
    expect(listSearch({ q: 'x'.repeat(1000) }).q).toHaveLength(200)
  })
})
