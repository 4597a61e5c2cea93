import { limits } from '@busbar/contract'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createHome,
  openVisitsHarness,
  TestStream,
  type VisitsHarness,
} from '../../../test-support/visits/visits-harness.ts'

const host = '3020882951040806712.visit.test'
const state = 'state-of-a-browser'

let harness: VisitsHarness
let machine: TestMachine
let owner: TestUser
let visitId: number
beforeAll(async () => {
  harness = await openVisitsHarness()
  const home = await createHome(harness)
  machine = home.machine
  owner = home.owner
  visitId = (await harness.open(owner, machine)).visitId
})
afterAll(() => harness.close())

const createCode = () => harness.visits.visitPort.createCode(visitId, host, state, harness.now())
const swap = (code: string, more: { host?: string; state?: string; at?: number } = {}) =>
  harness.visits.visitPort.swapCode(code, more.host ?? host, more.state ?? state, more.at ?? harness.now())

test('a code is swapped once, even when it is shown twice at the same moment', async () => {
  const code = await createCode()
  const swaps = await Promise.all([swap(code), swap(code), swap(code)])
  expect(swaps.filter(Boolean)).toHaveLength(1)
  expect(await swap(code)).toBeUndefined()
})

test.each([
  ['another host', { host: '9999999999999999999.visit.test' }],
  ['another browser', { state: 'state-of-another' }],
])('a code shown by %s opens nothing there, and nothing afterwards', async (_, more) => {
  const code = await createCode()
  expect(await swap(code, more)).toBeUndefined()
  expect(await swap(code)).toBeUndefined()
})

test('a code is too old after a minute, and gone with its visit', async () => {
  const code = await createCode()
  expect(await swap(code, { at: harness.now() + 60_000 })).toBeUndefined()
  const other = await harness.open(owner, machine, 'hmi')
  const ofOther = await harness.visits.visitPort.createCode(other.visitId, host, state, harness.now())
  expect(await harness.visits.visitPort.peekCode(ofOther, host, state, harness.now())).toEqual({
    visitId: other.visitId,
    hasOtherVisits: true,
  })
  await harness.visits.visitPort.leave(other.visitId, harness.now())
  expect(await harness.visits.visitPort.peekCode(ofOther, host, state, harness.now())).toBeUndefined()
  expect(await swap(ofOther)).toBeUndefined()
})

test('looking at a code does not use it up', async () => {
  const code = await createCode()
  expect(await harness.visits.visitPort.peekCode(code, host, state, harness.now())).toEqual({
    visitId,
    hasOtherVisits: false,
  })
  expect(await harness.visits.visitPort.peekCode(code, host, 'another', harness.now())).toBeUndefined()
  expect(await swap(code)).toBeDefined()
})

test('a cookie opens only its own host, and is stored as a hash', async () => {
  const inside = await harness.enter(owner, machine)
  const { find } = harness.visits.visitPort
  expect(await find(inside.cookie, inside.host, harness.now())).toMatchObject({ userName: 'Akey' })
  expect(await find(inside.cookie, 'other.visit.test', harness.now())).toBe('unknown')
  for (const forged of ['', 'x', 'A'.repeat(43), `${inside.cookie}x`])
    expect(await find(forged, inside.host, harness.now())).toBe('unknown')
  const { rows } = await harness.db
    .selectFrom('visit_cookies')
    .selectAll()
    .execute()
    .then((all) => ({ rows: all.map((row) => row.cookie_hash.toString('base64url')) }))
  expect(rows).not.toContain(inside.cookie)
})

test('another process finds a visit by its cookie, however many ask at once', async () => {
  const inside = await harness.enter(owner, machine)
  const other = await harness.startOther()
  const found = await Promise.all(
    Array.from({ length: 50 }, () => other.visits.visitPort.find(inside.cookie, inside.host, harness.now())),
  )
  expect(new Set(found).size).toBe(1)
  expect(found[0]).toMatchObject({ visitId: inside.visitId })
  expect(
    ['known', 'unknown'].map((how) => other.visits.visitPort.isKnown(how === 'known' ? inside.cookie : host)),
  ).toEqual([true, false])
  await other.close()
})

test('guessed cookies do not cause endless look-ups', async () => {
  const other = await harness.startOther()
  const guesses = await Promise.all(
    Array.from({ length: 100 }, (_, place) =>
      other.visits.visitPort.find(`${place}`.padStart(43, 'g'), 'one.visit.test', harness.now()),
    ),
  )
  expect(guesses.filter((answer) => answer === 'unknown').length).toBeLessThanOrEqual(40)
  expect(new Set(guesses)).toEqual(new Set(['unknown', 'blind']))
  await other.close()
})

test('a visit holds its limit of streams and no more, and a released one makes room', async () => {
  const inside = await harness.enter(owner, machine)
  const visit = await inside.visit()
  const holds = Array.from({ length: limits.streamsPerVisit }, () => visit.hold(new TestStream(), visit.mode))
  expect(holds.every(Boolean)).toBe(true)
  const more = new TestStream()
  expect(visit.hold(more, visit.mode)).toBeUndefined()
  expect(more.cutBy).toBeUndefined()
  holds[0]?.release()
  const again = visit.hold(more, visit.mode)
  expect(again).toBeDefined()
  again?.release()
  for (const hold of holds) hold?.release()
})
