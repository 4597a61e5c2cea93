import { expect, test } from 'vitest'
import { parseSearch } from '../../shared/session/search.ts'
import { listSearch } from './search.ts'

test('the device list keeps the parameters it knows', () => {
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

test('the address has the view of the map, and nothing of a wrong one', () => {
  expect(listSearch(parseSearch('?listType=map&at=31.23,121.47,5.2&card=7&place=none'))).toEqual({
    listType: 'map',
    at: '31.23,121.47,5.2',
    card: 7,
    place: 'none',
  })
  expect(listSearch(parseSearch('?at=99,0,3&card=x&place=all'))).toEqual({})
})

test('a wrong address still opens the device list', () => {
  expect(listSearch(parseSearch('?listType=x&machine=-1&state=red&group=1.5&q='))).toEqual({})
})
