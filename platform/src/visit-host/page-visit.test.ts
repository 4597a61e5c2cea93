import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http2'
import {
  enterVisit,
  navigation,
  openTestTunnel,
  type TestMachine,
  type TestUser,
  type VisitClient,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const site = useSite()
let owner: TestUser
let guest: TestUser
let machine: TestMachine
let seen: IncomingHttpHeaders[] = []

/** A separate machine for each test, because its controller is shared. */
beforeEach(async () => {
  owner = await site.createUser({ name: '王磊' })
  guest = await site.createUser({ name: 'Ann' })
  machine = await site.createMachine({ owner: owner.userId, name: 'Lathe 3' })
  await site.grantMachine(guest.userId, machine.machineId, { role: 'visitor' })
  seen = []
  await openTestTunnel(site, machine, (stream, headers) => {
    seen.push(headers)
    stream.respond({ ':status': 200, 'content-type': 'text/html', 'busbar-watch': '1' })
    stream.end('page')
  })
})

const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
const look = (client: VisitClient, headers: Record<string, string> = {}) =>
  client.request('/.busbar/visit', { headers: { ...own, ...headers } })
const askControl = (client: VisitClient) =>
  client.request('/.busbar/control', { method: 'POST', headers: own })
const rename = (user: TestUser, name: string) =>
  site.db
    .updateTable('machine_list_entries')
    .set({ name, name_key: randomUUID() })
    .where('user_id', '=', user.userId)
    .where('machine_id', '=', machine.machineId)
    .execute()

describe('the agent’s own page', () => {
  test('gets the visitor’s name for the machine, the controller, and the end of the visit', async () => {
    const inside = await enterVisit(site, owner, machine)
    await rename(guest, '车床 3')
    const beside = await enterVisit(site, guest, machine)
    const mine = JSON.parse((await look(inside)).text)
    expect(mine).toMatchObject({ machine: 'Lathe 3', mode: 'rw', mayTake: true, asks: false })
    expect(mine.controller).toMatchObject({ me: true, name: '王磊' })
    const theirs = JSON.parse((await look(beside)).text)
    expect(theirs).toMatchObject({ machine: '车床 3', mode: 'ro', mayTake: false, asks: false })
    expect(theirs.controller).toMatchObject({ me: false, name: '王磊' })
    expect(theirs.until).toBeGreaterThan(theirs.now)
    // The machine itself is not involved.
    expect(seen.filter((headers) => headers[':path']?.startsWith('/.busbar'))).toEqual([])
  })

  test('asks the holder for control, and takes one that is free', async () => {
    const inside = await enterVisit(site, owner, machine)
    const beside = await enterVisit(site, guest, machine)
    const asked = JSON.parse((await askControl(beside)).text)
    expect(asked).toMatchObject({ mode: 'ro', asks: true, controller: { name: '王磊' } })
    expect((await inside.request('/.busbar/leave', { method: 'POST' })).status).toBe(303)
    const taken = JSON.parse((await askControl(beside)).text)
    expect(taken).toMatchObject({ mode: 'rw', asks: false, controller: { me: true, name: 'Ann' } })
  })

  test('of a visitor with read-only access asks for control, and does not take it', async () => {
    await site.db
      .updateTable('machine_grants')
      .set({ read_only: true })
      .where('machine_id', '=', machine.machineId)
      .execute()
    const inside = await enterVisit(site, guest, machine)
    expect(JSON.parse((await look(inside)).text)).toMatchObject({ mode: 'ro', mayTake: false })
    expect(JSON.parse((await askControl(inside)).text)).toMatchObject({ mode: 'ro', asks: true })
  })

  test('gets a name with markup unchanged, in a form that a browser does not run', async () => {
    await rename(guest, '<img src=x onerror=alert(1)>')
    const inside = await enterVisit(site, guest, machine)
    const answer = await look(inside)
    expect(JSON.parse(answer.text).machine).toBe('<img src=x onerror=alert(1)>')
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    // Opened as a page it is refused.
    expect((await inside.request('/.busbar/visit', { headers: navigation })).status).toBe(403)
  })

  test('ignores headers of a visitor', async () => {
    const inside = await enterVisit(site, guest, machine)
    const honest = JSON.parse((await look(inside)).text)
    const forged = JSON.parse(
      (
        await look(inside, {
          'busbar-mode': 'rw',
          'busbar-user': 'Boss',
          'busbar-machine': 'Other',
          'busbar-until': '1',
        })
      ).text,
    )
    expect({ ...forged, now: 0 }).toEqual({ ...honest, now: 0 })
  })

  test('of another site, another target, or without a visit gets no data', async () => {
    const inside = await enterVisit(site, guest, machine)
    for (const site of ['cross-site', 'same-site']) {
      expect((await look(inside, { 'sec-fetch-site': site })).status).toBe(403)
      const forged = { method: 'POST', headers: { ...own, 'sec-fetch-site': site } }
      expect((await inside.request('/.busbar/control', forged)).status).toBe(403)
    }
    expect((await look(inside, { cookie: '' })).status).toBe(401)
    expect((await inside.request('/.busbar/control', { headers: own })).status).toBe(404)
  })
})
