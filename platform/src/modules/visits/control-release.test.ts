import { visits as contract, timing } from '@busbar/contract'
import { withTransaction } from '@busbar/platform/kernel/database/database.ts'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createHome,
  openVisitsHarness,
  TestStream,
  type VisitsHarness,
} from '../../../test-support/visits/visits-harness.ts'

const deadline = { timeout: 10_000, interval: 5 }
const stepMs = 20_000

let harness: VisitsHarness
let machine: TestMachine
let lan: TestUser
let wei: TestUser
beforeAll(async () => {
  harness = await openVisitsHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  machine = (await createHome(harness)).machine
  lan = await harness.person(machine, { role: 'visitor' }, 'Lan')
  wei = await harness.person(machine, { role: 'visitor' }, 'Wei')
  await harness.visits.sweep()
})

/** Moves the clock as a process lives through it: it looks again every few seconds. */
async function pass(ms: number, of: VisitsHarness = harness): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    harness.clock.offsetMs += Math.min(stepMs, left)
    await of.visits.sweep()
  }
}
const isHeld = async () => (await harness.visits.listBusy([machine.machineId], harness.now())).size === 1
const lastTold = (userId: number, visitId: number) =>
  harness.told.findLast((one) => one.userId === userId && one.session.sessionId === `${visitId}`)?.session

test('control of a visit whose page was closed is released after two minutes, warned before', async () => {
  const inside = await harness.enter(lan, machine)
  const watcher = await harness.enter(wei, machine)
  const page = (await inside.visit()).hold(new TestStream(), 'rw')
  await pass(10 * 60_000)
  expect(await isHeld(), 'its page is open').toBe(true)
  page?.release()
  await pass(60_000)
  expect(await isHeld()).toBe(true)
  expect(lastTold(lan.userId, inside.visitId)?.releaseAt ?? '0').toBe('0')
  await pass(stepMs)
  await expect
    .poll(() => Number(lastTold(lan.userId, inside.visitId)?.releaseAt), deadline)
    .toBeGreaterThan(harness.now())
  const [listed] = (await harness.call(lan, contract.listVisits, { live: true, page: 1, pageSize: 20 })).list
  expect(listed?.releaseAt).toBeGreaterThan(harness.now())
  await pass(2 * stepMs)
  expect(await isHeld()).toBe(false)
  // A watcher sees it free at once, and takes it.
  await expect.poll(() => lastTold(wei.userId, watcher.visitId)?.controller, deadline).toBe('')
  await expect.poll(async () => (await inside.visit()).mode, deadline).toBe('ro')
  expect((await harness.control(wei, watcher, 'take')).controller).toMatchObject({ me: true })
})

test('a reload, another page of the machine and a phone that sleeps a minute keep control', async () => {
  const inside = await harness.enter(lan, machine)
  for (let times = 0; times < 5; times++) {
    const page = (await inside.visit()).hold(new TestStream(), 'rw')
    await pass(stepMs)
    page?.release()
    await pass(60_000)
  }
  await inside.find()
  await pass(100_000)
  await expect.poll(() => lastTold(lan.userId, inside.visitId)?.releaseAt ?? '0', deadline).not.toBe('0')
  await inside.find()
  await pass(5_000)
  await expect.poll(() => lastTold(lan.userId, inside.visitId)?.releaseAt, deadline).toBe('0')
  expect(await isHeld()).toBe(true)
})

test('a visitor who keeps control keeps it without a page, and nobody can keep another person’s', async () => {
  const inside = await harness.enter(lan, machine)
  await pass(100_000)
  await expect(harness.control(wei, inside, 'keep')).rejects.toMatchObject({ code: '404' })
  expect((await harness.control(lan, inside, 'keep')).controller).toMatchObject({ me: true })
  await expect.poll(() => lastTold(lan.userId, inside.visitId)?.releaseAt, deadline).toBe('0')
  await pass(timing.controlKeptMs - stepMs)
  expect(await isHeld()).toBe(true)
  await pass(2 * stepMs)
  expect(await isHeld()).toBe(false)
})

test('a write from the console is a use of control', async () => {
  await harness.enter(lan, machine)
  for (let times = 0; times < 3; times++) {
    await pass(100_000)
    await withTransaction(harness.db, (trx) =>
      harness.visits.control.takeForWrite(trx, machine.machineId, lan.userId, harness.now()),
    )
  }
  expect(await isHeld()).toBe(true)
})

test('a platform that was away gives pages the whole time to come back', async () => {
  const inside = await harness.enter(lan, machine)
  harness.clock.offsetMs += 10 * 60_000
  const next = await harness.startOther()
  next.connect(machine.machineId)
  await pass(100_000, next)
  expect(await isHeld()).toBe(true)
  expect(await next.visits.visitPort.find(inside.cookie, inside.host, harness.now())).toMatchObject({
    mode: 'rw',
  })
  await pass(100_000, next)
  expect(await isHeld()).toBe(true)
  await pass(2 * stepMs, next)
  expect(await isHeld()).toBe(false)
  await next.close()
})

test('a page that another process serves keeps control', async () => {
  const inside = await harness.enter(lan, machine)
  const other = await harness.startOther()
  other.connect(machine.machineId)
  const there = await other.visits.visitPort.find(inside.cookie, inside.host, harness.now())
  if (typeof there !== 'object' || !('visitId' in there)) throw new Error('not found there')
  const page = there.hold(new TestStream(), 'rw')
  for (let times = 0; times < 12; times++) {
    await pass(stepMs, other)
    await harness.visits.sweep()
  }
  expect(await isHeld()).toBe(true)
  page?.release()
  await pass(140_000)
  expect(await isHeld()).toBe(false)
  await other.close()
})
