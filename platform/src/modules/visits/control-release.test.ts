import { visits as contract, timing } from '@busbar/contract'
import { withTransaction } from '@busbar/platform/kernel/database/database.ts'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHome, type House, openHouse, TestStream } from '../../../test-support/visits/house.ts'

const deadline = { timeout: 10_000, interval: 5 }
const stepMs = 20_000

let house: House
let machine: TestMachine
let lan: TestUser
let wei: TestUser
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())
beforeEach(async () => {
  machine = (await createHome(house)).machine
  lan = await house.person(machine, { role: 'visitor' }, 'Lan')
  wei = await house.person(machine, { role: 'visitor' }, 'Wei')
  await house.visits.sweep()
})

/** Moves the clock as a process lives through it: it looks again every few seconds. */
async function pass(ms: number, of: House = house): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    house.clock.offsetMs += Math.min(stepMs, left)
    await of.visits.sweep()
  }
}
const isHeld = async () => (await house.visits.listBusy([machine.machineId], house.now())).size === 1
const lastTold = (userId: number, visitId: number) =>
  house.told.findLast((one) => one.userId === userId && one.session.sessionId === `${visitId}`)?.session

test('control of a visit whose page was closed is released after two minutes, warned before', async () => {
  const inside = await house.enter(lan, machine)
  const watcher = await house.enter(wei, machine)
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
    .toBeGreaterThan(house.now())
  const [listed] = (await house.call(lan, contract.listVisits, { live: true, page: 1, pageSize: 20 })).list
  expect(listed?.releaseAt).toBeGreaterThan(house.now())
  await pass(2 * stepMs)
  expect(await isHeld()).toBe(false)
  // A watcher sees it free at once, and takes it.
  await expect.poll(() => lastTold(wei.userId, watcher.visitId)?.controller, deadline).toBe('')
  await expect.poll(async () => (await inside.visit()).mode, deadline).toBe('ro')
  expect((await house.control(wei, watcher, 'take')).controller).toMatchObject({ me: true })
})

test('a reload, another page of the machine and a phone that sleeps a minute keep control', async () => {
  const inside = await house.enter(lan, machine)
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
  const inside = await house.enter(lan, machine)
  await pass(100_000)
  await expect(house.control(wei, inside, 'keep')).rejects.toMatchObject({ code: '404' })
  expect((await house.control(lan, inside, 'keep')).controller).toMatchObject({ me: true })
  await expect.poll(() => lastTold(lan.userId, inside.visitId)?.releaseAt, deadline).toBe('0')
  await pass(timing.controlKeptMs - stepMs)
  expect(await isHeld()).toBe(true)
  await pass(2 * stepMs)
  expect(await isHeld()).toBe(false)
})

test('a write from the console is a use of control', async () => {
  await house.enter(lan, machine)
  for (let times = 0; times < 3; times++) {
    await pass(100_000)
    await withTransaction(house.db, (trx) =>
      house.visits.control.takeForWrite(trx, machine.machineId, lan.userId, house.now()),
    )
  }
  expect(await isHeld()).toBe(true)
})

test('a platform that was away gives pages the whole time to come back', async () => {
  const inside = await house.enter(lan, machine)
  house.clock.offsetMs += 10 * 60_000
  const next = await house.startOther()
  next.connect(machine.machineId)
  await pass(100_000, next)
  expect(await isHeld()).toBe(true)
  expect(await next.visits.visitPort.find(inside.cookie, inside.host, house.now())).toMatchObject({
    mode: 'rw',
  })
  await pass(100_000, next)
  expect(await isHeld()).toBe(true)
  await pass(2 * stepMs, next)
  expect(await isHeld()).toBe(false)
  await next.close()
})

test('a page that another process serves keeps control', async () => {
  const inside = await house.enter(lan, machine)
  const other = await house.startOther()
  other.connect(machine.machineId)
  const there = await other.visits.visitPort.find(inside.cookie, inside.host, house.now())
  if (typeof there !== 'object' || !('visitId' in there)) throw new Error('not found there')
  const page = there.hold(new TestStream(), 'rw')
  for (let times = 0; times < 12; times++) {
    await pass(stepMs, other)
    await house.visits.sweep()
  }
  expect(await isHeld()).toBe(true)
  page?.release()
  await pass(140_000)
  expect(await isHeld()).toBe(false)
  await other.close()
})
