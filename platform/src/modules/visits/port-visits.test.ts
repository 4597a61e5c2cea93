import { visits as contract, timing } from '@busbar/contract'
import {
  createEnterprise,
  createMember,
  createTeam,
  grantMachine,
  openWindow,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testPorts } from '../../../test-support/ports/port-agent.ts'
import {
  createHome,
  hmi,
  openVisitsHarness,
  page,
  TestStream,
  type VisitsHarness,
} from '../../../test-support/visits/visits-harness.ts'

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
  harness.connect(machine.machineId, [page, hmi], testPorts)
})

const pass = async (ms: number) => {
  harness.clock.offsetMs += ms
  await harness.visits.sweep()
}
const open = (user: TestUser, mode: contract.VisitMode) =>
  harness.call(user, contract.openPorts, { machineID: machine.machineId, terminalID: 'connect', mode })
/** Opens a visit, and holds a stream of it. */
async function hold(user: TestUser, mode: contract.VisitMode) {
  const { ticket, sessionId } = await open(user, mode)
  const found = await harness.visits.portVisits.enter(ticket, harness.now())
  if (typeof found !== 'object' || !('visit' in found)) throw new Error(`no visit: ${JSON.stringify(found)}`)
  const stream = new TestStream()
  const held = found.visit.hold(stream, found.mode)
  return { sessionId, visit: found.visit, stream, active: () => held?.active() }
}
const endOf = async (visitId: number) =>
  (await harness.db.selectFrom('visits').select('end_reason').where('id', '=', visitId).executeTakeFirst())
    ?.end_reason

test('a visit of ports without a byte ends after 30 minutes, and its streams are warned 5 before', async () => {
  const { stream, sessionId, visit } = await hold(owner, 'rw')
  await pass(timing.visitIdleMs - timing.visitWarningMs)
  expect(stream.warnings).toEqual([['idle', expect.any(Number)]])
  expect(stream.warnings[0]?.[1]).toBeLessThanOrEqual(harness.now() + timing.visitWarningMs)
  // A stream that opens meanwhile is warned as well.
  const late = new TestStream()
  visit.hold(late, 'rw')
  expect(late.warnings).toEqual(stream.warnings)
  await pass(timing.visitWarningMs)
  expect([stream.cutBy, late.cutBy, await endOf(sessionId)]).toEqual(['idle', 'idle', 'idle'])
})

test('with bytes it ends after 8 hours, and its streams are warned 5 minutes before', async () => {
  const { stream, visit, active, sessionId } = await hold(owner, 'rw')
  const { until } = visit
  const stepMs = 20 * minuteMs
  while (until - harness.now() > stepMs + timing.visitWarningMs) {
    active()
    await pass(stepMs)
  }
  active()
  expect(stream.warnings).toEqual([])
  await pass(until - harness.now() - timing.visitWarningMs)
  expect(stream.warnings).toEqual([['timeUp', until]])
  active()
  await pass(timing.visitWarningMs)
  expect([stream.cutBy, await endOf(sessionId)]).toEqual(['timeUp', 'timeUp'])
})

test('a right by a window ends with it, also where a visit time goes on', async () => {
  const { eid } = await createEnterprise(harness.db)
  const guest = await createMember(harness.db, eid, 'member', ['maintain'])
  await grantMachine(harness.db, guest.userId, machine.machineId, { role: 'visitor' })
  const { machineId } = machine
  const scopes = ['view', 'control', 'passthrough'] as const
  await openWindow(harness.db, { eid, machineId, scopes, stop: harness.now() + 10 * minuteMs })
  const people = { memberIds: [guest.userId], machineIds: [machineId] }
  await createTeam(harness.db, { eid, kind: 'maintain', ...people })
  const { stream, sessionId } = await hold(guest, 'rw')
  const page = await harness.enter(guest, machine)
  await pass(9 * minuteMs)
  expect(stream.cutBy).toBeUndefined()
  await pass(minuteMs)
  expect([stream.cutBy, await endOf(sessionId)]).toEqual(['visitTimeOver', 'visitTimeOver'])
  // By the visit time they are in the page as before.
  expect(await page.find()).toMatchObject({ visitId: page.visitId })
})

test('guesses of tickets are looked up a limited number of times a second', async () => {
  const { ticket } = await open(owner, 'ro')
  const { portVisits } = harness.visits
  const guesses = Array.from({ length: 300 }, (_, count) => `${String(count).padStart(43, 'x')}`)
  const now = harness.now()
  const answers = await Promise.all(guesses.map((guess) => portVisits.enter(guess, now)))
  expect(answers.filter((answer) => answer === 'unknown')).toHaveLength(200)
  expect(answers.filter((answer) => answer === 'blind')).toHaveLength(100)
  expect(await portVisits.enter(ticket, now + 1_000)).toMatchObject({ mode: 'ro' })
})

test('counts at a port add up, and are stored once', async () => {
  const { visit, sessionId } = await hold(owner, 'rw')
  const about = { name: 'plc', kind: 'modbus' } as const
  visit.countPort({ ...about, streams: 1, bytesIn: 5 })
  visit.countPort({ ...about, bytesIn: 2, writes: 1 })
  await pass(11_000)
  visit.countPort({ ...about, bytesOut: 9 })
  await pass(11_000)
  const { list } = await harness.call(owner, contract.listVisits, { page: 1, pageSize: 20 })
  const listed = list.find((one) => one.sessionId === sessionId)
  const counts = { streams: 1, bytesIn: 7, bytesOut: 9, reads: 0, writes: 1, refused: 0 }
  expect(listed?.ports).toEqual([{ ...about, ...counts }])
})
