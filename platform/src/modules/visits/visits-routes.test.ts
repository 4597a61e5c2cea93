import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { visits as contract, errors, machines } from '@busbar/contract'
import {
  failureOf,
  type grantMachine,
  openTestTunnel,
  PushClient,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'

const terminalID = 'terminal-of-a-test'
const hourMs = 3_600_000

const site = useSite()
let owner: TestUser
let machine: TestMachine
beforeAll(async () => {
  owner = await site.createUser({ name: 'Akey' })
  machine = await site.createMachine({ owner: owner.userId })
  await connect(machine)
})

const connect = (to: TestMachine) =>
  openTestTunnel(site, to, (stream) => stream.end(), {
    targets: [
      { name: 'page', readOnly: true },
      { name: 'hmi', readOnly: false },
    ],
  })
const person = async (grant?: Parameters<typeof grantMachine>[3], to = machine) => {
  const user = await site.createUser({ name: 'Lan' })
  if (grant) await site.grantMachine(user.userId, to.machineId, grant)
  return user
}
const open = (user: TestUser, target = 'page', to = machine) =>
  site.as(user).call(contract.openVisit, { machineID: to.machineId, terminalID, target })

describe('the right to enter', () => {
  test.each([
    ['a stranger', undefined, 'GENERAL_USER'],
    ['a visitor whose time is over', { role: 'visitor', until: new Date(Date.now() - 1) }, 'REST_TIME_OUT'],
  ] as const)('%s is told why not by both calls', async (_, grant, code) => {
    const user = await person(grant)
    const check = { machineID: machine.machineId, terminalID }
    expect(await site.refusalOf(user, contract.checkVisit, check)).toBe(code)
    const failure = await failureOf(site.as(user), contract.openVisit, check)
    expect(failure).toMatchObject({ code, http: errors[code].http })
  })

  test('an ordinary user and a missing machine get the same answer', async () => {
    const user = await person()
    await site.listMachine(user.userId, machine.machineId)
    for (const machineID of [machine.machineId, 999_999_999]) {
      expect(await site.refusalOf(user, contract.openVisit, { machineID, terminalID })).toBe('GENERAL_USER')
      expect(await site.refusalOf(user, contract.listTargets, { machineId: machineID })).toBe('GENERAL_USER')
    }
  })

  test('a closed cloud service keeps even the Akey out', async () => {
    const closed = await site.createMachine({ owner: owner.userId, cloudService: false })
    const request = { machineID: closed.machineId, terminalID }
    expect(await site.refusalOf(owner, contract.checkVisit, request)).toBe('CLOUD_EXPIRED')
    expect(await site.refusalOf(owner, contract.openVisit, request)).toBe('CLOUD_EXPIRED')
  })

  test('a person on the blacklist cannot get in by any way', async () => {
    const user = await person({ role: 'visitor' })
    await site.db
      .insertInto('machine_blacklist')
      .values({ machine_id: machine.machineId, user_id: user.userId })
      .execute()
    const request = { machineID: machine.machineId, terminalID }
    expect(await site.refusalOf(user, contract.checkVisit, request)).toBe('BLACKLIST')
    expect(await site.refusalOf(user, contract.openVisit, request)).toBe('BLACKLIST')
  })

  test('a role the caller claims is compared, never trusted', async () => {
    const bkey = await person({ role: 'bkey' })
    const visitor = await person({ role: 'visitor', until: new Date(Date.now() + hourMs), readOnly: true })
    const check = (user: TestUser, said: object) =>
      failureOf(site.as(user), contract.checkVisit, { machineID: machine.machineId, terminalID, ...said })
    expect((await check(bkey, { limitAuthority: 3 })).code).toBe('WRONG_ROLE')
    expect((await check(visitor, { limitAuthority: 2 })).code).toBe('WRONG_ROLE')
    expect((await check(visitor, { visitAlidTimeID: 999_999 })).code).toBe('WRONG_ROLE')
    expect((await check(await person(), { limitAuthority: 3 })).code).toBe('WRONG_ROLE')
    const answer = await site
      .as(visitor)
      .call(contract.checkVisit, { machineID: machine.machineId, terminalID, limitAuthority: 1 })
    expect(answer).toMatchObject({ role: 1, mode: 'ro', online: true, next: 'open' })
    expect(answer.visitTime).toBeGreaterThan(Date.now())
  })

  test('a machine without a tunnel is reported as offline and cannot be entered', async () => {
    const away = await site.createMachine({ owner: owner.userId })
    const request = { machineID: away.machineId, terminalID }
    expect(await site.as(owner).call(contract.checkVisit, request)).toMatchObject({ online: false })
    expect(await failureOf(site.as(owner), contract.openVisit, request)).toMatchObject({
      code: 'ClOUD_VISIT_TIMEOUT',
      http: 200,
    })
  })

  test.each([
    ['/dashboard/page1?a=1', '/dashboard/page1?a=1'],
    ['/.busbar/leave', '/'],
    ['/a/../b', '/b'],
  ])('the address of a visit that opens at %s ends with %s', async (path, wanted) => {
    const request = { machineID: machine.machineId, terminalID, path }
    const { url, testUrl } = await site.as(owner).call(contract.openVisit, request)
    expect([new URL(url).href, new URL(testUrl).href]).toEqual([new URL(wanted, testUrl).href, testUrl])
  })

  test('a page that cannot be made read-only is closed to a person with read-only access', async () => {
    const user = await person({ role: 'visitor', readOnly: true })
    const request = { machineID: machine.machineId, terminalID, target: 'hmi' }
    expect(await site.refusalOf(user, contract.openVisit, request)).toBe('TARGET_NOT_READ_ONLY')
    expect(await open(user)).toMatchObject({ mode: 'ro', controller: { me: false } })
    const unknown = { ...request, target: 'camera' }
    expect(await site.refusalOf(user, contract.openVisit, unknown)).toBe('TARGET_UNKNOWN')
  })
})

/** Calls openVisit as a browser would that has the console open under `host`. */
async function openUnder(host: string): Promise<unknown> {
  const sent = request(`${site.url}${contract.openVisit.path}`, {
    method: 'POST',
    headers: { host, token: owner.token, 'content-type': 'application/json' },
  })
  sent.end(JSON.stringify({ machineID: machine.machineId, terminalID }))
  const [answer] = await once(sent, 'response')
  return json(answer)
}

test('a console opened by a bare address offers no visits', async () => {
  expect(await openUnder('192.168.1.5:8080')).toMatchObject({ error: { code: 'VISITS_OFF' } })
  expect(await openUnder(`localhost:${site.webPort}`)).toMatchObject({ hwcode: 0 })
})

describe('the answers of the calls', () => {
  test('entering answers the address, takes the free controller, and the same visit again', async () => {
    const own = await site.createMachine({ owner: owner.userId })
    await connect(own)
    const first = await open(owner, 'hmi', own)
    expect(first).toMatchObject({ mode: 'rw', controller: { me: true, who: 'Akey' } })
    expect(first.url).toContain(`hmi--${own.code}.visit.localhost`)
    expect(first.controller.sessionId).toBe(first.sessionId)
    expect((await open(owner, 'hmi', own)).sessionId).toBe(first.sessionId)
    const bkey = await person({ role: 'bkey' }, own)
    const request = { machineID: own.machineId, terminalID, target: 'hmi' }
    const taken = await failureOf(site.as(bkey), contract.openVisit, request)
    expect(taken).toMatchObject({ code: 'CONTROL_TAKEN', data: { who: 'Akey' } })
    const [state] = await site.as(bkey).call(machines.listMachineStates, { machineIDs: [own.machineId] })
    expect(state?.busy).toBe(true)
  })

  test('a visit address is looked up, never fetched, and reveals nothing to strangers', async () => {
    const { url } = await open(owner)
    const test = (user: TestUser, testUrl: string) => site.as(user).call(contract.testVisitUrl, { testUrl })
    const answer = await test(owner, url)
    expect(answer.state).toBe('online')
    expect(answer.rttMs).toBeGreaterThanOrEqual(0)
    expect(await test(await person(), url)).toEqual({ state: 'offline', rttMs: null })
    for (const foreign of [
      'http://169.254.169.254/',
      `${site.url}/`,
      'nonsense',
      `${url.slice(0, -1)}.evil.test/`,
    ])
      expect(await test(owner, foreign)).toEqual({ state: 'offline', rttMs: null })
  })

  test('a visitor lists own visits only, a key all of its machine', async () => {
    const own = await site.createMachine({ owner: owner.userId })
    await connect(own)
    const lan = await person({ role: 'visitor' }, own)
    const wei = await person({ role: 'visitor' }, own)
    const ofLan = await open(lan, 'page', own)
    const ofWei = await open(wei, 'page', own)
    const list = (user: TestUser, request: object = {}) =>
      site.as(user).call(contract.listVisits, { machineId: own.machineId, ...request })
    expect((await list(owner)).list.map((visit) => visit.sessionId)).toEqual([
      ofWei.sessionId,
      ofLan.sessionId,
    ])
    const { list: listed, total } = await list(lan)
    expect(total).toBe(1)
    expect(listed[0]).toMatchObject({ sessionId: ofLan.sessionId, live: true, mode: 'rw', controls: true })
    await site.as(lan).call(contract.endVisit, { sessionId: ofLan.sessionId })
    expect((await list(owner, { live: true })).list).toHaveLength(1)
    expect((await list(owner, { live: false })).list[0]).toMatchObject({
      endedBy: 'Lan',
      reason: 'ended',
      mode: 'rw',
      live: false,
    })
  })

  test('a visitor of a former owner reads no name the next one gave', async () => {
    const own = await site.createMachine({ owner: owner.userId })
    await connect(own)
    const lan = await person({ role: 'visitor' }, own)
    await open(lan, 'page', own)
    await site.db.deleteFrom('machine_list_entries').where('user_id', '=', lan.userId).execute()
    await site.db
      .updateTable('machines')
      .set({ name: 'Secret name', owned_since: new Date(Date.now() + 1_000) })
      .where('id', '=', own.machineId)
      .execute()
    const [visit] = (await site.as(lan).call(contract.listVisits, {})).list
    expect(visit?.machine.name).toBe(own.code)
  })

  test('the bar of a visit attends it while its page is open, and gets its end', async () => {
    const lan = await person({ role: 'visitor' })
    const { sessionId } = await open(lan)
    const bar = await PushClient.open(site.url, lan.token)
    bar.attend(sessionId)
    const idleAt = async () => (await site.as(lan).call(contract.listVisits, { live: true })).list[0]?.idleAt
    await expect.poll(idleAt, { timeout: 10_000 }).toBeNull()
    await site.as(owner).call(contract.endVisit, { sessionId })
    const told = await bar.find((event) =>
      event.scene === 'visit' && event.visit.ended ? event.visit : undefined,
    )
    expect(told).toMatchObject({ sessionId: `${sessionId}`, reason: 'ended', user: 'Lan', target: 'page' })
    bar.close()
    await expect
      .poll(() => site.platform.hub.attendance.isAttended(lan.userId, sessionId), { timeout: 10_000 })
      .toBe(false)
  })

  test('a visit ends with the session it was opened in', async () => {
    const lan = await person({ role: 'visitor' })
    const { sessionId } = await open(lan)
    await site.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('sessions').where('id', '=', lan.sessionId).execute()
      await recordRightChange(trx, { sessionId: lan.sessionId, userId: lan.userId, reason: 'elsewhere' })
    })
    const reason = async () =>
      (await site.as(owner).call(contract.listVisits, { machineId: machine.machineId })).list.find(
        (visit) => visit.sessionId === sessionId,
      )?.reason
    await expect.poll(reason, { timeout: 10_000 }).toBe('signedOut')
  })
})
