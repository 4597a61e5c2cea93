import { visits as contract, limits, timing } from '@busbar/contract'
import { signIn, type TestMachine, type TestUser } from '@busbar/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createHome,
  openVisitsHarness,
  TestStream,
  type VisitsHarness,
} from '../../../test-support/visits/visits-harness.ts'

const deadline = { timeout: 10_000, interval: 5 }
const minuteMs = 60_000

let harness: VisitsHarness
let machine: TestMachine
let owner: TestUser
beforeAll(async () => {
  harness = await openVisitsHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  const home = await createHome(harness)
  machine = home.machine
  owner = home.owner
})

const pass = async (ms: number) => {
  harness.clock.offsetMs += ms
  await harness.visits.sweep()
}
const rowOf = (visitId: number) =>
  harness.db.selectFrom('visits').selectAll().where('id', '=', visitId).executeTakeFirstOrThrow()

test('a visit without a sign of life ends after 30 minutes, warned 5 before', async () => {
  const inside = await harness.enter(owner, machine)
  const stream = new TestStream()
  ;(await inside.visit()).hold(stream, 'rw')
  const before = harness.told.length
  await pass(timing.visitIdleMs - timing.visitWarningMs)
  await expect.poll(() => harness.told.length, deadline).toBeGreaterThan(before)
  expect(Number(harness.told.at(-1)?.session.idleAt)).toBeLessThanOrEqual(
    harness.now() + timing.visitWarningMs,
  )
  expect(stream.cutBy).toBeUndefined()
  await pass(timing.visitWarningMs)
  expect(stream.cutBy).toBe('idle')
  expect(await rowOf(inside.visitId)).toMatchObject({ end_reason: 'idle' })
})

test('a sign of life, or a bar on a screen, keeps it; a request that only reads does not', async () => {
  const [acting, attended, reading] = [
    await harness.enter(owner, machine),
    await harness.enter(await harness.person(machine, { role: 'visitor' }), machine),
    await harness.enter(await harness.person(machine, { role: 'visitor' }), machine),
  ]
  const hold = (await acting.visit()).hold(new TestStream(), 'rw')
  const { userId } = await attended.visit()
  const bar = {}
  harness.attendance.attend(bar, userId, attended.visitId)
  const read = (await reading.visit()).hold(new TestStream(), 'ro')
  await pass(29 * minuteMs)
  hold?.active()
  read?.received(5_000)
  await pass(minuteMs)
  expect(await acting.find()).toMatchObject({ visitId: acting.visitId })
  expect(await attended.find()).toMatchObject({ visitId: attended.visitId })
  expect(await reading.find()).toMatchObject({ ended: 'idle' })
  harness.attendance.leave(bar, userId)
  await pass(29 * minuteMs)
  expect(await attended.find()).toMatchObject({ visitId: attended.visitId })
  await pass(minuteMs)
  expect(await attended.find()).toMatchObject({ ended: 'idle' })
})

test('another person’s page cannot keep a visit alive', async () => {
  const inside = await harness.enter(owner, machine)
  harness.attendance.attend({}, owner.userId + 1, inside.visitId)
  await pass(timing.visitIdleMs)
  expect(await inside.find()).toMatchObject({ ended: 'idle' })
})

test('a visit lasts 8 hours at the most, whatever happens in it', async () => {
  const inside = await harness.enter(owner, machine)
  const visit = await inside.visit()
  const stream = new TestStream()
  const hold = visit.hold(stream, 'rw')
  for (let hours = 0; hours < 16; hours++) {
    hold?.active()
    if (hours < 15) await pass(30 * minuteMs - 1_000)
  }
  expect(await inside.find()).toMatchObject({ mode: 'rw' })
  harness.clock.offsetMs += visit.until - harness.now()
  expect(await inside.find()).toMatchObject({ ended: 'timeUp' })
  expect(stream.cutBy).toBe('timeUp')
})

test('a request finds a visit over even if a timer has not fired', async () => {
  const inside = await harness.enter(owner, machine)
  await inside.visit()
  harness.clock.offsetMs += timing.visitIdleMs
  expect(await inside.find()).toMatchObject({ ended: 'idle' })
})

test('the counts of a visit are stored while it lasts and at its end', async () => {
  const inside = await harness.enter(owner, machine)
  const hold = (await inside.visit()).hold(new TestStream(), 'rw')
  hold?.sent(100)
  hold?.received(1_000)
  await pass(11_000)
  expect(await rowOf(inside.visitId)).toMatchObject({ bytes_in: 100, bytes_out: 1_000 })
  hold?.received(24)
  await harness.visits.visitPort.leave(inside.visitId, harness.now())
  expect(await rowOf(inside.visitId)).toMatchObject({ bytes_in: 100, bytes_out: 1_024, end_reason: 'left' })
})

test('a session that runs out takes its visits along', async () => {
  const inside = await harness.enter(owner, machine)
  await harness.db
    .updateTable('sessions')
    .set({ expires_at: new Date(harness.now() - 1) })
    .where('id', '=', owner.sessionId)
    .execute()
  await harness.visits.sweep()
  expect(await inside.find()).toMatchObject({ ended: 'signedOut' })
})

test('only the visitor can prolong a visit, not a key', async () => {
  const user = await harness.person(machine, { role: 'visitor' })
  const { visitId: sessionId } = await harness.open(user, machine)
  await pass(20 * minuteMs)
  const { idleAt } = await harness.call(user, contract.extendVisit, { sessionId })
  expect(idleAt).toBeGreaterThan(harness.now() + 29 * minuteMs)
  await expect(harness.call(owner, contract.extendVisit, { sessionId })).rejects.toMatchObject({
    code: '404',
  })
  await pass(29 * minuteMs)
  expect((await rowOf(sessionId)).ended_at).toBeNull()
})

test('after a crash visits past their time are ended, and the others go on', async () => {
  const idle = await harness.open(owner, machine)
  const other = { ...owner, ...(await signIn(harness.db, owner.userId)) }
  const alive = await harness.enter(other, machine)
  await harness.db
    .updateTable('visits')
    .set({ active_at: new Date(harness.now() - timing.visitIdleMs) })
    .where('id', '=', idle.visitId)
    .execute()
  const next = await harness.startOther()
  expect(await rowOf(idle.visitId)).toMatchObject({ end_reason: 'idle' })
  const holder = await harness.db
    .selectFrom('controllers')
    .select('visit_id')
    .where('machine_id', '=', machine.machineId)
    .execute()
  expect(holder).toEqual([])
  next.connect(machine.machineId)
  expect(await next.visits.visitPort.find(alive.cookie, alive.host, harness.now())).toMatchObject({
    visitId: alive.visitId,
  })
  await next.close()
})

test('a session that opens visit after visit ends the one unused for longest', async () => {
  const targets = Array.from({ length: limits.visitsPerSession + 1 }, (_, place) => ({
    name: `p${place}`,
    readOnly: true,
  }))
  harness.connect(machine.machineId, targets)
  const opened = []
  for (const { name } of targets) opened.push(await harness.open(owner, machine, name))
  expect(await rowOf(opened[0]?.visitId ?? 0)).toMatchObject({ end_reason: 'replaced' })
  expect((await rowOf(opened[1]?.visitId ?? 0)).ended_at).toBeNull()
})
