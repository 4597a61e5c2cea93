import { expect, test } from 'vitest'
import type { DriverDeps, DriverKind } from '../drivers/driver-kind.ts'
import { loadKinds } from '../drivers/kinds.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { Explorers } from './explorers.ts'
import { Networks } from './networks.ts'
import { RemotePorts } from './ports.ts'

/** Explorers of a controller that notes the lines to it that are opened and closed. */
function createExplorers() {
  const lines: string[] = []
  const explore = () => {
    lines.push('opened')
    return { close: async () => void lines.push('closed') }
  }
  const clock = new ManualClock()
  const explorers = new Explorers({
    rules: {
      local: [],
      networks: new Networks(['127.0.0.0/8']),
      ports: new RemotePorts({ 'modbus-tcp': [{ first: 1, last: 65_535 }] }, null),
      loadKinds: async (named) => {
        const kinds = await loadKinds(named)
        return new Map([...kinds].map(([word, kind]) => [word, { ...(kind as DriverKind), explore }]))
      },
    },
    networks: new Networks(['127.0.0.0/8']),
    clock,
    depsOf: () => ({}) as DriverDeps,
  })
  return { explorers, lines, clock }
}

const plc = { name: 'plc', driver: 'modbus-tcp', host: '127.0.0.1', port: 502 }

test('two questions at the same moment opened two lines, and one of them was never closed', async () => {
  const { explorers, lines, clock } = createExplorers()
  const ask = (name: string) => explorers.ask(plc, async () => name)
  expect(await Promise.all([ask('first'), ask('second')])).toEqual(['first', 'second'])
  expect(lines).toEqual(['opened'])
  clock.advance(61_000)
  await expect.poll(() => lines).toEqual(['opened', 'closed'])
  await ask('third')
  explorers.stop()
  await expect.poll(() => lines).toEqual(['opened', 'closed', 'opened', 'closed'])
})

test('after a failed look into a controller the next question tries again', async () => {
  const { explorers, lines } = createExplorers()
  const outside = { ...plc, host: '10.0.0.1' }
  for (const _ of [1, 2]) await expect(explorers.ask(outside, async () => 1)).rejects.toThrow('not right')
  expect(lines).toEqual([])
})
