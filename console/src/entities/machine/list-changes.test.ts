import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { changeRow, takeRow } from './list-changes.ts'
import type { MachineList } from './machine-queries.ts'

const key = ['machines', 'list', 'en']

function clientWith(ids: readonly number[]): QueryClient {
  const client = new QueryClient()
  const list = ids.map((id) => ({ id, name: `M${id}` }))
  client.setQueryData(key, { version: 'v', list })
  return client
}
const namesIn = (client: QueryClient) =>
  client.getQueryData<MachineList>(key)?.list.map((machine) => machine.name)

it('a refused removal puts the machine back where it was', () => {
  const client = clientWith([1, 2, 3])
  const putBack = takeRow(client, 2)
  expect(namesIn(client)).toEqual(['M1', 'M3'])
  putBack()
  expect(namesIn(client)).toEqual(['M1', 'M2', 'M3'])
})

it('a machine that the platform sent again meanwhile is not there twice', () => {
  const client = clientWith([1, 2])
  const putBack = takeRow(client, 2)
  client.setQueryData(key, { version: 'w', list: [{ id: 2, name: 'again' }] })
  putBack()
  expect(namesIn(client)).toEqual(['again'])
})

it('a change shows in its own row only', () => {
  const client = clientWith([1, 2])
  changeRow(client, 2, { name: 'Press' })
  expect(namesIn(client)).toEqual(['M1', 'Press'])
})
