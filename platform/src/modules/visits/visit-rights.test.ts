import { setImmediate } from 'node:timers/promises'
import type { visits as contract } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { stall } from '../../../test-support/processes/stall.ts'
import {
  changeRights,
  createHome,
  hmi,
  openVisitsHarness,
  page,
  TestStream,
  type VisitsHarness,
} from '../../../test-support/visits/visits-harness.ts'
import { lockController } from './controller-store.ts'
import type { LiveVisit } from './live-visit.ts'

const deadline = { timeout: 10_000, interval: 5 }
const hourMs = 3_600_000

let harness: VisitsHarness
beforeAll(async () => {
  harness = await openVisitsHarness()
})
afterAll(() => harness.close())

const rowOf = (visitId: number) =>
  harness.db.selectFrom('visits').selectAll().where('id', '=', visitId).executeTakeFirstOrThrow()
const controllerOf = (machineId: number) =>
  harness.db.selectFrom('controllers').selectAll().where('machine_id', '=', machineId).executeTakeFirst()
const isCut = async (stream: TestStream) => {
  await expect.poll(() => stream.cutBy, deadline).toBeDefined()
  return stream.cutBy
}

interface Loss {
  readonly name: string
  readonly reason: contract.VisitEndReason
  readonly change: (user: TestUser, machine: TestMachine) => Parameters<typeof changeRights>[1]
  readonly work: (trx: Database, user: TestUser, machine: TestMachine) => Promise<unknown>
}
const ofPerson: Loss['change'] = (user, machine) => ({
  userId: user.userId,
  machineId: machine.machineId,
  reason: 'test',
})
const losses: Loss[] = [
  {
    name: 'a visitor who is removed',
    reason: 'rightLost',
    change: ofPerson,
    work: (trx, user) => trx.deleteFrom('machine_grants').where('user_id', '=', user.userId).execute(),
  },
  {
    name: 'a visitor whose time is zeroed',
    reason: 'visitTimeOver',
    change: ofPerson,
    work: (trx, user) =>
      trx
        .updateTable('machine_grants')
        .set({ until: new Date(Date.now() - 1) })
        .where('user_id', '=', user.userId)
        .execute(),
  },
  {
    name: 'somebody who is blacklisted',
    reason: 'rightLost',
    change: ofPerson,
    work: (trx, user, machine) =>
      trx
        .insertInto('machine_blacklist')
        .values({ machine_id: machine.machineId, user_id: user.userId })
        .execute(),
  },
  {
    name: 'everybody when the cloud switch is turned off',
    reason: 'cloudOff',
    change: (_, machine) => ({ machineId: machine.machineId, reason: 'test' }),
    work: (trx, _, machine) =>
      trx.updateTable('machines').set({ cloud_service: false }).where('id', '=', machine.machineId).execute(),
  },
  {
    name: 'whoever is signed out elsewhere',
    reason: 'signedOut',
    change: (user) => ({ sessionId: user.sessionId, userId: user.userId, reason: 'elsewhere' }),
    work: (trx, user) => trx.deleteFrom('sessions').where('id', '=', user.sessionId).execute(),
  },
]

describe('a right that goes takes the visit with it', () => {
  test.each(losses)('$name is cut before anybody is notified', async (loss) => {
    const { machine } = await createHome(harness)
    const user = await harness.person(machine, { role: 'visitor' })
    const inside = await harness.enter(user, machine, 'hmi')
    const wasTold = () =>
      harness.told.some(({ session }) => session.ended && session.sessionId === `${inside.visitId}`)
    let toldFirst: boolean | undefined
    const stream = new TestStream(() => {
      toldFirst = wasTold()
    })
    expect((await inside.visit()).hold(stream, 'rw')).toBeDefined()
    await changeRights(harness, loss.change(user, machine), (trx) => loss.work(trx, user, machine))
    expect(await isCut(stream)).toBe(loss.reason)
    expect(toldFirst).toBe(false)
    await expect.poll(wasTold, deadline).toBe(true)
    expect(await inside.find()).toMatchObject({ ended: loss.reason })
    expect(await rowOf(inside.visitId)).toMatchObject({ end_reason: loss.reason })
    expect(await controllerOf(machine.machineId)).toBeUndefined()
  })

  test('it is cut even while nothing can be written, and written when it can', async () => {
    const { machine } = await createHome(harness)
    const user = await harness.person(machine, { role: 'visitor' })
    const inside = await harness.enter(user, machine)
    const stream = new TestStream()
    ;(await inside.visit()).hold(stream, 'rw')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: locked, resolve: tellLocked } = Promise.withResolvers<void>()
    onTestFinished(() => release())
    const lock = harness.db.transaction().execute(async (trx) => {
      await lockController(trx, machine.machineId)
      tellLocked()
      await held
    })
    await locked
    await changeRights(harness, ofPerson(user, machine), (trx) =>
      trx.deleteFrom('machine_grants').where('user_id', '=', user.userId).execute(),
    )
    expect(await isCut(stream)).toBe('rightLost')
    expect(await inside.find()).toMatchObject({ ended: 'rightLost' })
    expect((await rowOf(inside.visitId)).ended_at).toBeNull()
    release()
    await lock
    await expect.poll(async () => (await rowOf(inside.visitId)).end_reason, deadline).toBe('rightLost')
  })

  test('a change of another person’s rights disturbs nobody', async () => {
    const { machine } = await createHome(harness)
    const user = await harness.person(machine, { role: 'visitor' })
    const other = await harness.person(machine, { role: 'visitor' })
    const inside = await harness.enter(user, machine)
    const gone = await harness.enter(other, machine)
    const [stream, lost] = [new TestStream(), new TestStream()]
    ;(await inside.visit()).hold(stream, 'rw')
    ;(await gone.visit()).hold(lost, 'ro')
    await changeRights(harness, ofPerson(other, machine), (trx) =>
      trx.deleteFrom('machine_grants').where('user_id', '=', other.userId).execute(),
    )
    await isCut(lost)
    expect(stream.cutBy).toBeUndefined()
    expect(await inside.visit()).toMatchObject({ mode: 'rw' })
  })

  test('a visitor who becomes read-only keeps watching, changes nothing and holds no control', async () => {
    const { machine } = await createHome(harness)
    const user = await harness.person(machine, { role: 'visitor' })
    const inside = await harness.enter(user, machine)
    const [changing, watching] = [new TestStream(), new TestStream()]
    const visit = await inside.visit()
    visit.hold(changing, 'rw')
    visit.hold(watching, 'ro')
    await changeRights(harness, ofPerson(user, machine), (trx) =>
      trx.updateTable('machine_grants').set({ read_only: true }).where('user_id', '=', user.userId).execute(),
    )
    await isCut(changing)
    expect(watching.cutBy).toBeUndefined()
    expect((await inside.visit()).mode).toBe('ro')
    const late = new TestStream()
    expect(visit.hold(late, 'rw')).toBeUndefined()
    expect(late.cutBy).toBeDefined()
    await expect.poll(() => controllerOf(machine.machineId), deadline).toBeUndefined()
  })

  test('a page that cannot be kept to watching is left when one may only watch', async () => {
    const { machine } = await createHome(harness)
    const user = await harness.person(machine, { role: 'visitor' })
    const inside = await harness.enter(user, machine, 'hmi')
    const stream = new TestStream()
    ;(await inside.visit()).hold(stream, 'rw')
    await changeRights(harness, ofPerson(user, machine), (trx) =>
      trx.updateTable('machine_grants').set({ read_only: true }).where('user_id', '=', user.userId).execute(),
    )
    await isCut(stream)
    await expect.poll(() => inside.find(), deadline).toMatchObject({ ended: 'rightLost' })
  })
})

describe('a process that stalls', () => {
  test('right before a visit is opened opens it all the same', async () => {
    const { machine } = await createHome(harness)
    const user = await harness.person(machine, { role: 'visitor' })
    stall(1_500)
    expect(harness.rights.isFresh()).toBe(false)
    expect(await harness.open(user, machine)).toMatchObject({ visitId: expect.any(Number) })
  })

  test('at any step of opening a visit does not refuse it', async () => {
    const { machine } = await createHome(harness)
    for (let turns = 1; turns <= 40; turns += 13) {
      const user = await harness.person(machine, { role: 'visitor' })
      const opened = harness.open(user, machine, 'page')
      for (let turn = 0; turn < turns; turn++) await setImmediate()
      stall(1_500)
      expect(await opened).toMatchObject({ visitId: expect.any(Number) })
    }
  })
})

describe('while rights cannot be seen', () => {
  test('no request is admitted after a second, all streams are cut after five, and both recover when rights can be read', async () => {
    const { machine } = await createHome(harness)
    const user = await harness.person(machine, { role: 'visitor' })
    const inside = await harness.enter(user, machine)
    const stream = new TestStream()
    ;(await inside.visit()).hold(stream, 'rw')
    const { promise: seeing, resolve: see } = Promise.withResolvers<void>()
    // A read that hangs is as blind as one that fails.
    const blinding = harness.db.transaction().execute(async (trx) => {
      await sql`lock table right_changes in access exclusive mode`.execute(trx)
      await seeing
    })
    await expect.poll(() => inside.find(), deadline).toBe('blind')
    expect(stream.cutBy).toBeUndefined()
    await expect(harness.open(user, machine)).rejects.toMatchObject({ code: '503' })
    expect(await isCut(stream)).toBe('platform')
    see()
    await blinding
    await expect.poll(() => inside.find(), deadline).toMatchObject({ mode: 'rw' })
    expect((await rowOf(inside.visitId)).ended_at).toBeNull()
  })
})

describe('a decision that is under way', () => {
  let quiet: VisitsHarness
  beforeAll(async () => {
    quiet = await openVisitsHarness()
  })
  afterAll(() => quiet.close())

  /** Keeps every decision waiting until the test is over, or the answered function is called. */
  async function holdDecisions(): Promise<() => Promise<void>> {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: locked, resolve: tellLocked } = Promise.withResolvers<void>()
    const lock = quiet.db.transaction().execute(async (trx) => {
      await sql`lock table machine_blacklist in access exclusive mode`.execute(trx)
      tellLocked()
      await held
    })
    await locked
    onTestFinished(() => release())
    return async () => {
      release()
      await lock
    }
  }
  test('a request during a new decision about a right waits for the answer', async () => {
    const { machine } = await createHome(quiet)
    const user = await quiet.person(machine, { role: 'visitor' })
    const inside = await quiet.enter(user, machine)
    const visit = (await inside.visit()) as LiveVisit
    const release = await holdDecisions()
    await changeRights(quiet, ofPerson(user, machine), (trx) =>
      trx.deleteFrom('machine_grants').where('user_id', '=', user.userId).execute(),
    )
    await expect.poll(() => visit.decision.isRunning, deadline).toBe(true)
    let answer: unknown
    const asked = inside.find().then((found) => {
      answer = found
    })
    await sql`select`.execute(quiet.db)
    expect(answer).toBeUndefined()
    await release()
    await asked
    expect(answer).toMatchObject({ ended: 'rightLost' })
  })

  test('a visit that cannot be decided within a second is cut, and goes on once it can', async () => {
    const { machine } = await createHome(quiet)
    const user = await quiet.person(machine, { role: 'visitor' })
    const inside = await quiet.enter(user, machine)
    const stream = new TestStream()
    ;(await inside.visit()).hold(stream, 'rw')
    const release = await holdDecisions()
    await changeRights(quiet, ofPerson(user, machine), async () => undefined)
    expect(await isCut(stream)).toBe('platform')
    expect(await inside.find()).toBe('blind')
    await release()
    expect(await inside.find()).toMatchObject({ mode: 'rw' })
  })

  test('a visit time that ends cuts exactly then', async () => {
    const { machine } = await createHome(harness)
    const until = new Date(Date.now() + 5_000)
    const user = await harness.person(machine, { role: 'visitor', until })
    const inside = await harness.enter(user, machine)
    const stream = new TestStream()
    const visit = await inside.visit()
    expect(visit.until).toBe(until.getTime())
    visit.hold(stream, 'rw')
    expect(await isCut(stream)).toBe('visitTimeOver')
    expect(stream.cutAt).toBeGreaterThanOrEqual(until.getTime())
    expect(stream.cutAt - until.getTime()).toBeLessThan(10_000)
    await expect.poll(() => inside.find(), deadline).toMatchObject({ ended: 'visitTimeOver' })
  })

  test('a visit time that is prolonged prolongs the visit', async () => {
    const { machine } = await createHome(harness)
    const user = await harness.person(machine, { role: 'visitor', until: new Date(harness.now() + hourMs) })
    const inside = await harness.enter(user, machine)
    const later = harness.now() + 2 * hourMs
    await changeRights(harness, ofPerson(user, machine), (trx) =>
      trx
        .updateTable('machine_grants')
        .set({ until: new Date(later) })
        .where('user_id', '=', user.userId)
        .execute(),
    )
    await expect.poll(async () => (await inside.visit()).until, deadline).toBe(later)
    await expect.poll(async () => (await rowOf(inside.visitId)).ends_at.getTime(), deadline).toBe(later)
  })
})

describe('a page in mode ro', () => {
  test('no bytes of a page that cannot be made read-only pass once control is gone', async () => {
    const { machine, owner } = await createHome(harness)
    const user = await harness.person(machine, { role: 'visitor' })
    const inside = await harness.enter(user, machine, 'hmi')
    const stream = new TestStream()
    ;(await inside.visit()).hold(stream, 'rw')
    const ofOwner = await harness.open(owner, machine)
    await harness.control(owner, ofOwner, 'take')
    expect(stream.cutBy).toBe('replaced')
    const visit = await inside.visit()
    expect(visit).toMatchObject({ mode: 'ro', canWatch: false })
    const late = new TestStream()
    expect(visit.hold(late, 'ro')).toBeUndefined()
    expect(late.cutBy).toBeDefined()
  })

  test('a machine that comes back with another page setting is asked again', async () => {
    const { machine } = await createHome(harness)
    const user = await harness.person(machine, { role: 'visitor', readOnly: true })
    const inside = await harness.enter(user, machine)
    expect(await inside.visit()).toMatchObject({ canWatch: true })
    harness.connect(machine.machineId, [{ ...page, readOnly: false }, hmi])
    expect(await inside.visit()).toMatchObject({ canWatch: false })
    expect((await inside.visit()).hold(new TestStream(), 'ro')).toBeUndefined()
  })
})
