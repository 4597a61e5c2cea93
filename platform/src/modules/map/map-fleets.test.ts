import { placeMachine } from '@busbar/testkit'
import { useDatabase } from '@busbar/testkit/test-site.ts'
import { expect, test, vi } from 'vitest'
import type { MachinePresence } from '../../edge-link/edge-link.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { MapFleets } from './map-fleets.ts'

const database = useDatabase()
const patience = { timeout: 10_000, interval: 20 }
const minuteMs = 60_000

/** A fleet of one machine with a place, beside a link that answers as the test says. */
async function openFleet() {
  const { eid } = await database.createEnterprise()
  const { machineId } = await database.createEnterpriseMachine(eid)
  await placeMachine(database.db, machineId)
  const link = { isOnline: false, isDown: false, asked: [] as number[], held: Promise.resolve() }
  const clock = { now: Date.now() }
  const fleets = new MapFleets({
    db: database.db,
    link: {
      async presence(ids) {
        if (link.isDown) throw new Error('The database is away.')
        const { isOnline } = link
        link.asked.push(ids.length)
        await link.held
        return new Map(ids.map((id) => [id, { online: isOnline } as MachinePresence]))
      },
    },
    logger: silentLogger,
    now: () => clock.now,
  })
  const tell = (told = machineId) =>
    fleets.follower.follow([{ id: 1, kind: 'machine.online', machineId: told, at: clock.now }])
  const stateOf = async () => (await fleets.marksOf({ eid, kind: 'owned' })).get(machineId)?.state
  return { fleets, link, clock, tell, stateOf }
}

test('a change during the first read is not lost, which may have seen it or not', async () => {
  const { link, tell, stateOf } = await openFleet()
  const gate = Promise.withResolvers<void>()
  link.held = gate.promise
  const first = stateOf()
  await vi.waitFor(() => expect(link.asked).toEqual([1]), patience)
  link.isOnline = true
  await tell()
  gate.resolve()
  await first
  await vi.waitFor(async () => expect(await stateOf()).toBe(1), patience)
})

test('changes that come while changes are read are read after them, together', async () => {
  const { link, tell, stateOf } = await openFleet()
  expect(await stateOf()).toBe(0)
  const gate = Promise.withResolvers<void>()
  link.held = gate.promise
  await tell()
  await vi.waitFor(() => expect(link.asked).toEqual([1, 1]), patience)
  link.isOnline = true
  for (let change = 0; change < 50; change++) await tell()
  gate.resolve()
  await vi.waitFor(async () => expect(await stateOf()).toBe(1), patience)
  expect(link.asked).toEqual([1, 1, 1])
})

test('a change that cannot be read leaves no old state behind: the next call reads all of it', async () => {
  const { link, tell, stateOf } = await openFleet()
  expect(await stateOf()).toBe(0)
  link.isOnline = true
  link.isDown = true
  await tell()
  await vi.waitFor(async () => await expect(stateOf()).rejects.toThrow('away'), patience)
  link.isDown = false
  expect(await stateOf()).toBe(1)
})

test('a fleet that nobody asks for is followed no more, nor are machines of others', async () => {
  const { link, clock, tell, stateOf } = await openFleet()
  expect(await stateOf()).toBe(0)
  await tell(987_654)
  clock.now += 11 * minuteMs
  link.isOnline = true
  await tell()
  expect(link.asked).toEqual([1])
  expect(await stateOf()).toBe(1)
  expect(link.asked).toEqual([1, 1])
})
