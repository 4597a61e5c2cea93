import { expect, test } from 'vitest'
import { filterDevices, nextSort, type OnlineFilter, sortDevices } from './device-order.ts'
import type { Machine } from './machine.ts'

const device = (machineName: string, groupId: number | null, groupName: string, online = true) =>
  ({
    name: machineName,
    groups: groupId === null ? [] : [{ id: groupId, name: groupName }],
    online,
    remark: 'line 2',
    code: '3020882951040806712',
  }) as Partial<Machine> as Machine
const all = [device('Oven', 7, 'Hall A'), device('Press', null, '', false)]
const namesOf = (machines: readonly Machine[]) => machines.map(({ name }) => name)

test('every word typed narrows the list, over name, remark, group and code', () => {
  const names = (query: string, groupId?: number, online: OnlineFilter = 'all') =>
    namesOf(filterDevices(all, { query, groupId, online }))
  expect(names('')).toEqual(['Oven', 'Press'])
  expect(names('hall 0806')).toEqual(['Oven'])
  expect(names('LINE press')).toEqual(['Press'])
  expect(names('line', 7)).toEqual(['Oven'])
  expect(names('line', undefined, 'offline')).toEqual(['Press'])
})

test('a column orders both ways, numbers in names as numbers, and what has nothing stays last', () => {
  const seen = (machineName: string, lastSeen: number | null) =>
    ({ name: machineName, lastSeen }) as Partial<Machine> as Machine
  const list = [seen('Press 10', null), seen('Press 9', 2), seen('Press 1', 1)]
  const order = (columnId: string, direction: 'ascending' | 'descending') =>
    namesOf(sortDevices(list, { columnId, direction }))
  expect(order('name', 'ascending')).toEqual(['Press 1', 'Press 9', 'Press 10'])
  expect(order('lastSeen', 'ascending')).toEqual(['Press 1', 'Press 9', 'Press 10'])
  expect(order('lastSeen', 'descending')).toEqual(['Press 9', 'Press 1', 'Press 10'])
  expect(namesOf(sortDevices(list, null))).toEqual(namesOf(list))
  const once = nextSort(null, 'name')
  expect([once?.direction, nextSort(nextSort(once, 'name'), 'name')]).toEqual(['ascending', null])
})
