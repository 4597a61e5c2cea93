import { setImmediate } from 'node:timers/promises'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { stall } from '../../test-support/processes/stall.ts'
import { Inside } from '../../test-support/visit-host/inside.ts'
import { deadline, openThings, visitNames } from '../../test-support/visit-host/open-things.ts'
import { Station } from '../../test-support/visit-host/station.ts'
import { openDatabase } from '../kernel/database/database.ts'

/** Longer than a process trusts what it has read; the shorter one is longer than it stays fresh. */
const stallMs = { trusted: 7_000, fresh: 1_500 }

const site = useSite()

test('a process that stalls for 7 s cuts no open visit', async () => {
  const things = await openThings(site)
  onTestFinished(() => things.close())
  const before = things.states()
  stall(stallMs.trusted)
  await Promise.all([
    things.goOn(visitNames),
    things.watchOn(things.push.visitor, things.station),
    things.watchOn(things.push.bystander, things.station),
  ])
  expect(things.states()).toEqual(before)
  expect(Object.values(before).every((state) => state === 'open')).toBe(true)
})

test('a right lost while the process stalls relays no bytes after it', async () => {
  const things = await openThings(site)
  onTestFinished(() => things.close())
  const { inside, visitor, station } = things
  const beside = openDatabase(site.connection, { poolMax: 1 })
  onTestFinished(() => beside.destroy())
  await sql`select 1`.execute(beside)
  // Runs within the database while this process is busy.
  const losing = sql`with slept as materialized (select pg_sleep(0.5)), lost as (
      delete from machine_grants using slept where user_id = ${visitor.userId} and machine_id = ${station.machine.machineId}
      returning user_id, machine_id
    ) insert into right_changes (user_id, machine_id, reason)
      select user_id, machine_id, 'grantRemoved' from lost`.execute(beside)
  for (let turns = 0; turns < 5; turns++) await setImmediate()
  const marks = inside.page.things.map((thing) => ({ thing, sent: thing.sent }))
  const toldBefore = station.told
  stall(stallMs.fresh)
  await losing
  await expect
    .poll(() => inside.page.things.map(({ state }) => state), deadline)
    .toEqual(marks.map(() => 'cut'))
  for (const { thing, sent } of marks) {
    if (thing.kind !== 'waiting') expect([thing.kind, thing.passedAfter(sent)]).toEqual([thing.kind, 0])
  }
  await things.goOn(['elsewhere', 'bystander'])
  expect(things.push.visitor.newestOf(station)).toBeLessThanOrEqual(toldBefore)
})

test.each(['GET', 'POST'] as const)('the last piece before a stall is not lost: %s', async (method) => {
  const { tunnel, inside } = await enter()
  const arrival = tunnel.next()
  const answer = inside.client.request('/whole', { method, ...(method === 'POST' ? { body: 'x' } : {}) })
  const stream = await arrival
  stream.respond({ ':status': 200 })
  stream.write('first ')
  for (let turns = 0; turns < 5; turns++) await setImmediate()
  stream.end('last')
  await setImmediate()
  stall(stallMs.fresh)
  expect(await answer).toMatchObject({ status: 200, text: 'first last' })
})

test('an answer without a body that comes with a stall is passed on', async () => {
  const { tunnel, inside } = await enter()
  const arrival = tunnel.next()
  const answer = inside.client.request('/empty')
  const stream = await arrival
  stream.respond({ ':status': 204 }, { endStream: true })
  await setImmediate()
  stall(stallMs.fresh)
  expect((await answer).status).toBe(204)
})

test('the last piece of a WebSocket before a stall is not lost, either way', async () => {
  const { tunnel, inside } = await enter()
  const arrival = tunnel.next()
  const socket = await inside.client.openSocket()
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1')
  })
  socket.write(
    `GET /socket HTTP/1.1\r\nHost: ${inside.client.host}\r\nCookie: ${inside.client.cookie}\r\nSec-Fetch-Site: same-origin\r\nOrigin: ${inside.client.origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  )
  const stream = await arrival
  let arrived = ''
  stream.on('data', (chunk: Buffer) => {
    arrived += chunk.toString('latin1')
  })
  stream.respond({ ':status': 200 })
  await expect.poll(() => heard).toContain('101')
  stream.end('last of the machine')
  socket.end('last of the visitor')
  await setImmediate()
  stall(stallMs.fresh)
  await expect.poll(() => heard).toContain('last of the machine')
  await expect.poll(() => arrived).toBe('last of the visitor')
})

/** A person inside a machine, whose next streams are taken one by one. */
async function enter() {
  const owner = await site.createUser()
  const machine = await site.createMachine({ owner: owner.userId })
  const user = await site.createHolder(machine.machineId, { role: 'visitor' })
  const station = await Station.open(site, machine)
  onTestFinished(() => station.close())
  const inside = await Inside.enter(site, user, station)
  return {
    inside,
    tunnel: {
      next: () => Promise.race(['/whole', '/empty', '/socket'].map((path) => station.arrival(path))),
    },
  }
}
