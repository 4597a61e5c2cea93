import { visits as contract } from '@busbar/contract'
import { withTransaction } from '@busbar/platform/kernel/database/database.ts'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  changeRights,
  createHome,
  type Entered,
  openVisitsHarness,
  TestStream,
  type VisitsHarness,
} from '../../../test-support/visits/visits-harness.ts'

const deadline = { timeout: 10_000, interval: 5 }
const minuteMs = 60_000

let harness: VisitsHarness
let machine: TestMachine
let owner: TestUser
let lan: TestUser
let wei: TestUser
beforeAll(async () => {
  harness = await openVisitsHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  const home = await createHome(harness)
  machine = home.machine
  owner = home.owner
  lan = await harness.person(machine, { role: 'visitor' }, 'Lan')
  wei = await harness.person(machine, { role: 'visitor' }, 'Wei')
})

const holderOf = async () =>
  (
    await harness.db
      .selectFrom('controllers')
      .select('visit_id')
      .where('machine_id', '=', machine.machineId)
      .executeTakeFirst()
  )?.visit_id
const modeOf = async (inside: Entered) => (await inside.visit()).mode
const lastTold = (userId: number, visitId: number) =>
  harness.told.findLast((one) => one.userId === userId && one.session.sessionId === `${visitId}`)?.session
const write = (user: TestUser) =>
  withTransaction(harness.db, (trx) =>
    harness.visits.control.takeForWrite(trx, machine.machineId, user.userId, harness.now()),
  )

describe('one controller at a time', () => {
  test('of many who enter at the same moment only one controls', async () => {
    const people = await Promise.all(
      Array.from({ length: 6 }, (_, place) => harness.person(machine, { role: 'visitor' }, `P${place}`)),
    )
    const opened = await Promise.all(people.map((user) => harness.open(user, machine)))
    expect(opened.filter((visit) => visit.mode === 'rw')).toHaveLength(1)
    expect(opened.find((visit) => visit.mode === 'rw')?.visitId).toBe(await holderOf())
  })

  test('a person who enters twice at the same moment has one visit', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => harness.open(lan, machine)))
    expect(new Set(opened.map((visit) => visit.visitId)).size).toBe(1)
    expect(opened.every((visit) => visit.mode === 'rw')).toBe(true)
  })

  test('a page that cannot be made read-only is closed while somebody else controls', async () => {
    await harness.open(lan, machine)
    await expect(harness.open(wei, machine, 'hmi')).rejects.toMatchObject({
      code: 'CONTROL_TAKEN',
      data: { who: 'Lan' },
    })
    const count = await harness.db
      .selectFrom('visits')
      .select('id')
      .where('user_id', '=', wei.userId)
      .execute()
    expect(count).toHaveLength(0)
  })

  test('hands and takes at the same moment leave one controller, the same on all pages', async () => {
    const [a, b, c] = [
      await harness.enter(lan, machine),
      await harness.enter(wei, machine),
      await harness.enter(owner, machine),
    ]
    await harness.control(wei, b, 'take')
    await Promise.allSettled([
      harness.control(lan, a, 'hand', b),
      harness.control(owner, c, 'take'),
      harness.control(lan, a, 'release'),
      harness.control(owner, b, 'hand'),
    ])
    const holder = await holderOf()
    const agrees = async () => {
      const modes = await Promise.all(
        [a, b, c].map(async (inside) => ((await modeOf(inside)) === 'rw') === (inside.visitId === holder)),
      )
      return modes.every(Boolean)
    }
    await expect.poll(agrees, deadline).toBe(true)
  })
})

test('a key may hand control to every visit of the machine, the holder to those that asked, others to none', async () => {
  const a = await harness.enter(lan, machine)
  const b = await harness.enter(wei, machine)
  const c = await harness.enter(owner, machine)
  const takers = async (user: TestUser, { visitId: sessionId }: Entered) =>
    (await harness.call(user, contract.listControlTakers, { sessionId })).takers.map(
      ({ user: { name, me }, asks }) => ({ name, me, asks }),
    )
  const own = expect.objectContaining({ me: true, asks: false })
  expect(await takers(lan, a)).toEqual([])
  expect(await takers(owner, c)).toEqual([own, { name: 'Wei', me: false, asks: false }])
  await harness.control(wei, b, 'take')
  const asking = { name: 'Wei', me: false, asks: true }
  expect(await takers(lan, a)).toEqual([asking])
  expect(await takers(owner, c)).toEqual([asking, own])
  expect(await takers(wei, b)).toEqual([])
  await expect(takers(wei, a)).rejects.toMatchObject({ code: '404' })
  await harness.control(lan, a, 'hand', b)
  expect(await takers(lan, a)).toEqual([])
  expect(await takers(owner, c)).toEqual([own, { name: 'Lan', me: false, asks: false }])
})

describe('how control moves', () => {
  test('the holder’s way to change things is cut before the next has it', async () => {
    const a = await harness.enter(lan, machine)
    const b = await harness.enter(owner, machine)
    const modes: string[] = []
    const next = await b.visit()
    const stream = new TestStream(() => modes.push(next.mode))
    ;(await a.visit()).hold(stream, 'rw')
    expect(await harness.control(owner, b, 'take')).toMatchObject({
      asked: false,
      controller: { me: true, who: 'Akey' },
    })
    expect(modes).toEqual(['ro'])
    expect(await modeOf(b)).toBe('rw')
    expect(await modeOf(a)).toBe('ro')
  })

  test('a visitor asks; holder and keys are notified; the holder hands over', async () => {
    const a = await harness.enter(lan, machine)
    const b = await harness.enter(wei, machine)
    expect(await harness.control(wei, b, 'take')).toMatchObject({
      asked: true,
      controller: { me: false, who: 'Lan', sessionId: a.visitId },
    })
    for (const user of [lan, owner, wei])
      await expect.poll(() => lastTold(user.userId, b.visitId)?.asks, deadline).toBe(true)
    await harness.control(lan, a, 'hand', b)
    expect(await modeOf(b)).toBe('rw')
    await expect.poll(() => lastTold(lan.userId, a.visitId)?.controller, deadline).toBe('Wei')
    expect(lastTold(lan.userId, a.visitId)).toMatchObject({
      mode: 'ro',
      controls: false,
      controllerMe: false,
    })
    await expect.poll(() => lastTold(wei.userId, b.visitId)).toMatchObject({ asks: false, controls: true })
  })

  test('a visitor sees who controls, but not other people’s visits', async () => {
    const a = await harness.enter(lan, machine)
    const b = await harness.enter(wei, machine)
    const c = await harness.enter(owner, machine)
    await harness.control(owner, c, 'take')
    await expect.poll(() => lastTold(wei.userId, b.visitId)?.controller, deadline).toBe('Akey')
    const toldTo = (user: TestUser) =>
      new Set(harness.told.filter((one) => one.userId === user.userId).map((one) => one.session.sessionId))
    expect(toldTo(wei)).toEqual(new Set([`${b.visitId}`]))
    expect(toldTo(lan)).toEqual(new Set([`${a.visitId}`]))
  })

  test('a holder without a key can hand over only to a person who asked', async () => {
    const a = await harness.enter(lan, machine)
    const b = await harness.enter(wei, machine)
    await expect(harness.control(lan, a, 'hand', b)).rejects.toMatchObject({ code: '404' })
    await harness.control(owner, b, 'hand')
    expect(await modeOf(b)).toBe('rw')
  })

  test('only holder and keys can hand over, and nobody else to themselves', async () => {
    const a = await harness.enter(lan, machine)
    const b = await harness.enter(wei, machine)
    await expect(harness.control(wei, b, 'hand')).rejects.toMatchObject({ code: '404' })
    await expect(harness.control(wei, a, 'release')).rejects.toMatchObject({ code: '404' })
    expect(await holderOf()).toBe(a.visitId)
  })

  test('a visitor with read-only access may ask but does not get control', async () => {
    const a = await harness.enter(lan, machine)
    const watcher = await harness.person(machine, { role: 'visitor', readOnly: true }, 'Watcher')
    const b = await harness.enter(watcher, machine)
    expect((await harness.control(watcher, b, 'take')).asked).toBe(true)
    await expect(harness.control(lan, a, 'hand', b)).rejects.toMatchObject({ code: 'READ_ONLY' })
    await harness.control(lan, a, 'release')
    expect((await harness.control(watcher, b, 'take')).asked).toBe(true)
    expect(await holderOf()).toBeUndefined()
    await changeRights(
      harness,
      { userId: watcher.userId, machineId: machine.machineId, reason: 'test' },
      (trx) =>
        trx
          .updateTable('machine_grants')
          .set({ read_only: false })
          .where('user_id', '=', watcher.userId)
          .execute(),
    )
    await harness.control(owner, b, 'hand')
    expect(await modeOf(b)).toBe('rw')
  })

  test('the end of a visit frees the controller and withdraws its request', async () => {
    const a = await harness.enter(lan, machine)
    const b = await harness.enter(wei, machine)
    await harness.control(wei, b, 'take')
    await harness.visits.visitPort.leave(b.visitId, harness.now())
    await expect
      .poll(() => lastTold(lan.userId, b.visitId), deadline)
      .toMatchObject({ ended: true, asks: false })
    await harness.visits.visitPort.leave(a.visitId, harness.now())
    expect(await holderOf()).toBeUndefined()
    expect(await harness.open(wei, machine)).toMatchObject({ mode: 'rw' })
  })

  test('another process that holds the streams cuts them within its next look', async () => {
    const a = await harness.enter(lan, machine)
    const b = await harness.enter(owner, machine)
    const other = await harness.startOther()
    other.connect(machine.machineId)
    const there = await other.visits.visitPort.find(a.cookie, a.host, harness.now())
    if (typeof there !== 'object' || !('visitId' in there)) throw new Error('not found there')
    expect(there.mode).toBe('rw')
    const stream = new TestStream()
    there.hold(stream, 'rw')
    await harness.control(owner, b, 'take')
    await expect.poll(() => stream.cutBy, deadline).toBe('replaced')
    expect(there.mode).toBe('ro')
    await harness.visits.visitPort.leave(a.visitId, harness.now())
    await expect
      .poll(() => other.visits.visitPort.find(a.cookie, a.host, harness.now()), deadline)
      .toMatchObject({
        ended: 'left',
      })
    await other.close()
  })
})

describe('a write without a visit', () => {
  test('takes a free controller for a minute, keeps others out, and falls free', async () => {
    await write(lan)
    await expect(write(wei)).rejects.toMatchObject({ code: 'CONTROL_TAKEN', data: { who: 'Lan' } })
    const b = await harness.enter(wei, machine)
    expect(await modeOf(b)).toBe('ro')
    expect(await harness.visits.listBusy([machine.machineId], harness.now())).toEqual(
      new Set([machine.machineId]),
    )
    harness.visits.control.announce(machine.machineId)
    await expect.poll(() => lastTold(wei.userId, b.visitId)?.controller, deadline).toBe('Lan')
    harness.clock.offsetMs += minuteMs
    expect(await harness.visits.listBusy([machine.machineId], harness.now())).toEqual(new Set())
    await harness.visits.sweep()
    await expect.poll(() => lastTold(wei.userId, b.visitId)?.controller, deadline).toBe('')
    await write(wei)
  })

  test('is the person’s own where their visit controls, and is taken over by it', async () => {
    await write(lan)
    const a = await harness.enter(lan, machine)
    expect(await modeOf(a)).toBe('rw')
    await write(lan)
    expect(await holderOf()).toBe(a.visitId)
    await expect(write(owner)).rejects.toMatchObject({ code: 'CONTROL_TAKEN' })
  })

  test('two writes at the same moment have one controller', async () => {
    const results = await Promise.allSettled([write(lan), write(wei)])
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  })
})
