import { withTransaction } from '@busbar/platform/kernel/database/database.ts'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  changeRights,
  createHome,
  type Entered,
  type House,
  openHouse,
  TestStream,
} from '../../../test-support/visits/house.ts'

const deadline = { timeout: 10_000, interval: 5 }
const minuteMs = 60_000

let house: House
let machine: TestMachine
let owner: TestUser
let lan: TestUser
let wei: TestUser
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())
beforeEach(async () => {
  const home = await createHome(house)
  machine = home.machine
  owner = home.owner
  lan = await house.person(machine, { role: 'visitor' }, 'Lan')
  wei = await house.person(machine, { role: 'visitor' }, 'Wei')
})

const holderOf = async () =>
  (
    await house.db
      .selectFrom('controllers')
      .select('visit_id')
      .where('machine_id', '=', machine.machineId)
      .executeTakeFirst()
  )?.visit_id
const modeOf = async (inside: Entered) => (await inside.visit()).mode
const lastTold = (userId: number, visitId: number) =>
  house.told.findLast((one) => one.userId === userId && one.session.sessionId === `${visitId}`)?.session
const write = (user: TestUser) =>
  withTransaction(house.db, (trx) =>
    house.visits.control.takeForWrite(trx, machine.machineId, user.userId, house.now()),
  )

describe('one controller at a time', () => {
  test('of many who enter at the same moment only one controls', async () => {
    const people = await Promise.all(
      Array.from({ length: 6 }, (_, place) => house.person(machine, { role: 'visitor' }, `P${place}`)),
    )
    const opened = await Promise.all(people.map((user) => house.open(user, machine)))
    expect(opened.filter((visit) => visit.mode === 'rw')).toHaveLength(1)
    expect(opened.find((visit) => visit.mode === 'rw')?.visitId).toBe(await holderOf())
  })

  test('one who enters twice at the same moment has one visit', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => house.open(lan, machine)))
    expect(new Set(opened.map((visit) => visit.visitId)).size).toBe(1)
    expect(opened.every((visit) => visit.mode === 'rw')).toBe(true)
  })

  test('a page that cannot be made read-only is closed while somebody else controls', async () => {
    await house.open(lan, machine)
    await expect(house.open(wei, machine, 'hmi')).rejects.toMatchObject({
      code: 'CONTROL_TAKEN',
      data: { who: 'Lan' },
    })
    const count = await house.db.selectFrom('visits').select('id').where('user_id', '=', wei.userId).execute()
    expect(count).toHaveLength(0)
  })

  test('hands and takes at the same moment leave one controller, the same on all pages', async () => {
    const [a, b, c] = [
      await house.enter(lan, machine),
      await house.enter(wei, machine),
      await house.enter(owner, machine),
    ]
    await house.control(wei, b, 'take')
    await Promise.allSettled([
      house.control(lan, a, 'hand', b),
      house.control(owner, c, 'take'),
      house.control(lan, a, 'release'),
      house.control(owner, b, 'hand'),
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

describe('how control moves', () => {
  test('the holder’s way to change things is cut before the next has it', async () => {
    const a = await house.enter(lan, machine)
    const b = await house.enter(owner, machine)
    const modes: string[] = []
    const next = await b.visit()
    const stream = new TestStream(() => modes.push(next.mode))
    ;(await a.visit()).hold(stream, 'rw')
    expect(await house.control(owner, b, 'take')).toMatchObject({
      asked: false,
      controller: { me: true, who: 'Akey' },
    })
    expect(modes).toEqual(['ro'])
    expect(await modeOf(b)).toBe('rw')
    expect(await modeOf(a)).toBe('ro')
  })

  test('a visitor asks; holder and keys are notified; the holder hands over', async () => {
    const a = await house.enter(lan, machine)
    const b = await house.enter(wei, machine)
    expect(await house.control(wei, b, 'take')).toMatchObject({
      asked: true,
      controller: { me: false, who: 'Lan', sessionId: a.visitId },
    })
    for (const user of [lan, owner, wei])
      await expect.poll(() => lastTold(user.userId, b.visitId)?.asks, deadline).toBe(true)
    await house.control(lan, a, 'hand', b)
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
    const a = await house.enter(lan, machine)
    const b = await house.enter(wei, machine)
    const c = await house.enter(owner, machine)
    await house.control(owner, c, 'take')
    await expect.poll(() => lastTold(wei.userId, b.visitId)?.controller, deadline).toBe('Akey')
    const toldTo = (user: TestUser) =>
      new Set(house.told.filter((one) => one.userId === user.userId).map((one) => one.session.sessionId))
    expect(toldTo(wei)).toEqual(new Set([`${b.visitId}`]))
    expect(toldTo(lan)).toEqual(new Set([`${a.visitId}`]))
  })

  test('a holder without a key can hand over only to a person who asked', async () => {
    const a = await house.enter(lan, machine)
    const b = await house.enter(wei, machine)
    await expect(house.control(lan, a, 'hand', b)).rejects.toMatchObject({ code: '404' })
    await house.control(owner, b, 'hand')
    expect(await modeOf(b)).toBe('rw')
  })

  test('only holder and keys can hand over, and nobody else to themselves', async () => {
    const a = await house.enter(lan, machine)
    const b = await house.enter(wei, machine)
    await expect(house.control(wei, b, 'hand')).rejects.toMatchObject({ code: '404' })
    await expect(house.control(wei, a, 'release')).rejects.toMatchObject({ code: '404' })
    expect(await holderOf()).toBe(a.visitId)
  })

  test('a visitor with read-only access may ask but does not get control', async () => {
    const a = await house.enter(lan, machine)
    const watcher = await house.person(machine, { role: 'visitor', readOnly: true }, 'Watcher')
    const b = await house.enter(watcher, machine)
    expect((await house.control(watcher, b, 'take')).asked).toBe(true)
    await expect(house.control(lan, a, 'hand', b)).rejects.toMatchObject({ code: 'READ_ONLY' })
    await house.control(lan, a, 'release')
    expect((await house.control(watcher, b, 'take')).asked).toBe(true)
    expect(await holderOf()).toBeUndefined()
    await changeRights(
      house,
      { userId: watcher.userId, machineId: machine.machineId, reason: 'test' },
      (trx) =>
        trx
          .updateTable('machine_grants')
          .set({ read_only: false })
          .where('user_id', '=', watcher.userId)
          .execute(),
    )
    await house.control(owner, b, 'hand')
    expect(await modeOf(b)).toBe('rw')
  })

  test('the end of a visit frees the controller and withdraws its request', async () => {
    const a = await house.enter(lan, machine)
    const b = await house.enter(wei, machine)
    await house.control(wei, b, 'take')
    await house.visits.visitPort.leave(b.visitId, house.now())
    await expect
      .poll(() => lastTold(lan.userId, b.visitId), deadline)
      .toMatchObject({ ended: true, asks: false })
    await house.visits.visitPort.leave(a.visitId, house.now())
    expect(await holderOf()).toBeUndefined()
    expect(await house.open(wei, machine)).toMatchObject({ mode: 'rw' })
  })

  test('another process that holds the streams cuts them within its next look', async () => {
    const a = await house.enter(lan, machine)
    const b = await house.enter(owner, machine)
    const other = await house.startOther()
    other.connect(machine.machineId)
    const there = await other.visits.visitPort.find(a.cookie, a.host, house.now())
    if (typeof there !== 'object' || !('visitId' in there)) throw new Error('not found there')
    expect(there.mode).toBe('rw')
    const stream = new TestStream()
    there.hold(stream, 'rw')
    await house.control(owner, b, 'take')
    await expect.poll(() => stream.cutBy, deadline).toBe('replaced')
    expect(there.mode).toBe('ro')
    await house.visits.visitPort.leave(a.visitId, house.now())
    await expect
      .poll(() => other.visits.visitPort.find(a.cookie, a.host, house.now()), deadline)
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
    const b = await house.enter(wei, machine)
    expect(await modeOf(b)).toBe('ro')
    expect(await house.visits.listBusy([machine.machineId], house.now())).toEqual(
      new Set([machine.machineId]),
    )
    house.visits.control.announce(machine.machineId)
    await expect.poll(() => lastTold(wei.userId, b.visitId)?.controller, deadline).toBe('Lan')
    house.clock.offsetMs += minuteMs
    expect(await house.visits.listBusy([machine.machineId], house.now())).toEqual(new Set())
    await house.visits.sweep()
    await expect.poll(() => lastTold(wei.userId, b.visitId)?.controller, deadline).toBe('')
    await write(wei)
  })

  test('is the person’s own where their visit controls, and is taken over by it', async () => {
    await write(lan)
    const a = await house.enter(lan, machine)
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
