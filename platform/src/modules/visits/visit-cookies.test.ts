import { limits } from '@busbar/contract'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHome, type House, openHouse, TestStream } from '../../../test-support/visits/house.ts'

const host = '3020882951040806712.visit.test'
const state = 'state-of-a-browser'

let house: House
let machine: TestMachine
let owner: TestUser
let visitId: number
beforeAll(async () => {
  house = await openHouse()
  const home = await createHome(house)
  machine = home.machine
  owner = home.owner
  visitId = (await house.open(owner, machine)).visitId
})
afterAll(() => house.close())

const createCode = () => house.visits.visitPort.createCode(visitId, host, state, house.now())
const swap = (code: string, more: { host?: string; state?: string; at?: number } = {}) =>
  house.visits.visitPort.swapCode(code, more.host ?? host, more.state ?? state, more.at ?? house.now())

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
  expect(await swap(code, { at: house.now() + 60_000 })).toBeUndefined()
  const other = await house.open(owner, machine, 'hmi')
  const ofOther = await house.visits.visitPort.createCode(other.visitId, host, state, house.now())
  expect(await house.visits.visitPort.peekCode(ofOther, host, state, house.now())).toEqual({
    visitId: other.visitId,
    hasOtherVisits: true,
  })
  await house.visits.visitPort.leave(other.visitId, house.now())
  expect(await house.visits.visitPort.peekCode(ofOther, host, state, house.now())).toBeUndefined()
  expect(await swap(ofOther)).toBeUndefined()
})

test('looking at a code does not use it up', async () => {
  const code = await createCode()
  expect(await house.visits.visitPort.peekCode(code, host, state, house.now())).toEqual({
    visitId,
    hasOtherVisits: false,
  })
  expect(await house.visits.visitPort.peekCode(code, host, 'another', house.now())).toBeUndefined()
  expect(await swap(code)).toBeDefined()
})

test('a cookie opens its own host and no other, and is kept as a hash', async () => {
  const inside = await house.enter(owner, machine)
  const { find } = house.visits.visitPort
  expect(await find(inside.cookie, inside.host, house.now())).toMatchObject({ userName: 'Akey' })
  expect(await find(inside.cookie, 'other.visit.test', house.now())).toBe('unknown')
  for (const forged of ['', 'x', 'A'.repeat(43), `${inside.cookie}x`])
    expect(await find(forged, inside.host, house.now())).toBe('unknown')
  const { rows } = await house.db
    .selectFrom('visit_cookies')
    .selectAll()
    .execute()
    .then((all) => ({ rows: all.map((row) => row.cookie_hash.toString('base64url')) }))
  expect(rows).not.toContain(inside.cookie)
})

test('another process finds a visit by its cookie, however many ask at once', async () => {
  const inside = await house.enter(owner, machine)
  const other = await house.startOther()
  const found = await Promise.all(
    Array.from({ length: 50 }, () => other.visits.visitPort.find(inside.cookie, inside.host, house.now())),
  )
  expect(new Set(found).size).toBe(1)
  expect(found[0]).toMatchObject({ visitId: inside.visitId })
  await other.close()
})

test('guessed cookies do not cause endless look-ups', async () => {
  const other = await house.startOther()
  const guesses = await Promise.all(
    Array.from({ length: 100 }, (_, place) =>
      other.visits.visitPort.find(`${place}`.padStart(43, 'g'), 'one.visit.test', house.now()),
    ),
  )
  expect(guesses.filter((answer) => answer === 'unknown').length).toBeLessThanOrEqual(40)
  expect(new Set(guesses)).toEqual(new Set(['unknown', 'blind']))
  await other.close()
})

test('a visit holds its limit of streams and no more, and a released one makes room', async () => {
  const inside = await house.enter(owner, machine)
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
