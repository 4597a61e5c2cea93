import { type MachineWho, nothing, type Route, route } from '@busbar/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Binding } from './bind.ts'
import { collectMachinesOf } from './machines-of.ts'

function bindingOf(who: MachineWho<'id'>): Binding {
  const declared: Route = route({
    method: 'POST',
    path: '/api/v1/test',
    who,
    title: { cn: '测试', en: 'Test' },
    request: z.object({ id: z.int() }),
    answer: nothing,
    errors: [],
  })
  return { route: declared, run: async () => ({}) }
}

test('a route with a kind of id that no module resolves keeps the platform from starting', () => {
  const routes = [bindingOf({ right: 'akey', maintenance: 'id' })]
  const access = { name: 'access', machineOf: { grant: async () => 1 } }
  expect(() => collectMachinesOf([access, { name: 'enterprises', routes }])).toThrow(
    'POST /api/v1/test: no module tells the machine of "maintenance".',
  )
  const machineOf = { maintenance: async () => 1 }
  expect(() => collectMachinesOf([access, { name: 'enterprises', routes, machineOf }])).not.toThrow()
})

test('two modules that resolve the same kind of id keep the platform from starting', () => {
  const machineOf = { grant: async () => 1 }
  expect(() =>
    collectMachinesOf([
      { name: 'access', machineOf },
      { name: 'other', machineOf },
    ]),
  ).toThrow('The machine of "grant" is told by access and by other.')
})

test('a thing names one machine, several, or none', async () => {
  const machineOf = {
    grant: async (id: number) => (id === 5 ? 50 : undefined),
    tags: async (ids: readonly number[]) => ids.map((id) => id * 10),
  }
  const machinesOf = collectMachinesOf([{ name: 'one', machineOf }])
  expect(await machinesOf('grant', 5)).toEqual([50])
  expect(await machinesOf('grant', 6)).toBeUndefined()
  expect(await machinesOf('tags', [1, 2])).toEqual([10, 20])
})
