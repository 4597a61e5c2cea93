import { expect, it } from 'vitest'
import { wishOf } from './alarm-wish.ts'

it('asks the platform for the filters of the list in its space', () => {
  const filters = {
    level: { kind: 'choice', chosen: ['critical', 'major'] },
    stage: { kind: 'choice', chosen: ['unconfirmed'] },
    group: { kind: 'choice', chosen: ['4'] },
    raisedAt: { kind: 'dateRange', from: 10, to: 20 },
  } as const
  expect(wishOf({ search: 'oil', filters }, { eid: 7 }, 3)).toEqual({
    ...{ eid: 7, machineId: 3, level: ['critical', 'major'], state: 'unconfirmed', groupId: 4 },
    ...{ text: 'oil', from: 10, to: 20 },
  })
})

it('asks for nothing that narrows where nothing is chosen', () => {
  expect(wishOf({ search: '', filters: {} }, {}, undefined)).toEqual({})
  expect(wishOf(undefined, { eid: 7 }, 3)).toEqual({ eid: 7, machineId: 3 })
})

it('asks the platform for the order of a column that it can sort by', () => {
  const ask = { search: '', filters: {} }
  const sort = { columnId: 'stage', isDescending: false }
  expect(wishOf({ ...ask, sort }, {}, undefined)).toEqual({ sort: 'state', direction: 'asc' })
  expect(wishOf({ ...ask, sort: { columnId: 'confirmedBy', isDescending: true } }, {}, undefined)).toEqual({})
})
