import { access, applications as contract, visits } from '@busbar/contract'
import { failureOf, openTestTunnel, PushClient, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import {
  ageApplications,
  ask,
  countUnread,
  createAsker,
  createSetup,
  findGrant,
  listKinds,
  type Setup,
  verify,
} from '../../../../test-support/applications/application-setup.ts'

const site = useSite()

const { waiting, waitsForBkey, waitsForAkey, refusedByAkey, refusedByBkey, passed, over } =
  contract.auditStates
const terminalID = 'terminal-of-a-test'

const askFor = (person: TestUser, machineID: number) =>
  failureOf(site.as(person), contract.applyForVisit, { machineID, terminalID }).then(({ code }) => code)
const denialReason = async (person: TestUser, machineID: number) => {
  const { code, data } = await failureOf(site.as(person), visits.checkVisit, { machineID, terminalID })
  return { code, ...(data as contract.EntryDenial) }
}

describe('a refusal with blacklisting', () => {
  test('ends a live visit and all applications, and new ones are refused', async () => {
    const setup = await createSetup(site)
    const { akey, asker, machineId } = setup
    await openTestTunnel(site, setup, (stream) => stream.end())
    const visit = await ask(site, setup, 'visit')
    await verify(site, akey, 'visit', { applyId: visit.applyId, pass: true })
    const { sessionId } = await site
      .as(asker)
      .call(visits.openVisit, { machineID: machineId, terminalID, target: 'page' })
    const page = await PushClient.open(site.url, asker.token)
    const bind = await ask(site, setup, 'bind')
    await ageApplications(site, machineId, 60_000)
    const more = await ask(site, setup, 'visit', { mode: 'rw' })
    expect(more.auditState).toBe(waiting)
    expect(await verify(site, akey, 'bind', { applyId: bind.applyId, pass: false, blacklist: true })).toBe(
      refusedByAkey,
    )
    const ended = await page.find((event) =>
      event.scene === 'visit' && event.visit.sessionId === String(sessionId) && event.visit.ended
        ? event.visit
        : undefined,
    )
    expect(ended.reason).toBe('rightLost')
    expect(await findGrant(site, machineId, asker)).toBeUndefined()
    expect(await verify(site, akey, 'visit', { applyId: more.applyId, pass: true })).toBe(over)
    await ageApplications(site, machineId, 600_000)
    expect(await askFor(asker, machineId)).toBe('BLACKLIST')
    expect(await denialReason(asker, machineId)).toEqual({ code: 'BLACKLIST', next: 'closed' })
    page.close()
  })

  test('is accepted out of turn as well, because the person cannot get in anyway', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'bind')
    expect(await verify(site, setup.akey, 'bind', { applyId, pass: true })).toBe(waitsForBkey)
    expect(await verify(site, setup.akey, 'bind', { applyId, pass: false })).toBe(waitsForBkey)
    expect(await verify(site, setup.akey, 'bind', { applyId, pass: false, blacklist: true })).toBe(over)
    expect(await askFor(setup.asker, setup.machineId)).toBe('BLACKLIST')
  })
})

describe('a person whom a Bkey proposes as Bkey', () => {
  const push = async ({ bkey, machineId, asker }: Setup) =>
    site.as(bkey).call(access.addBkey, { account: asker.email, machineID: machineId })

  test('becomes one once the Akey consents; the Bkey is notified, the person has the right', async () => {
    const setup = await createSetup(site)
    const { applyId, auditState } = await push(setup)
    expect([auditState, await findGrant(site, setup.machineId, setup.asker)]).toEqual([
      waitsForAkey,
      undefined,
    ])
    expect([await listKinds(site, setup.akey), await listKinds(site, setup.asker)]).toEqual([
      ['bindApply'],
      [],
    ])
    expect(await push(setup)).toMatchObject({ applyId, auditState: waitsForAkey })
    expect(await verify(site, setup.bkey, 'bind', { applyId: applyId ?? 0, pass: true })).toBe(waitsForAkey)
    expect(await verify(site, setup.akey, 'bind', { applyId: applyId ?? 0, pass: true })).toBe(passed)
    expect(await findGrant(site, setup.machineId, setup.asker)).toMatchObject({ role: 'bkey' })
    expect(await listKinds(site, setup.bkey)).toEqual(['bindSent', 'bindSuccess'])
    expect(await listKinds(site, setup.asker)).toEqual(['rightGiven'])
  })

  test('does not become one when the Akey refuses, and cannot be proposed again at once', async () => {
    const setup = await createSetup(site)
    const { applyId } = await push(setup)
    expect(await verify(site, setup.akey, 'bind', { applyId: applyId ?? 0, pass: false })).toBe(refusedByAkey)
    const again = { account: setup.asker.email, machineID: setup.machineId }
    expect(await site.refusalOf(setup.bkey, access.addBkey, again)).toBe('BIND_TOO_OFTEN')
    expect((await ask(site, setup, 'bind')).auditState).toBe(waiting)
  })

  test('a person who applied already gets the Bkey’s consent with the proposal', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'bind')
    await verify(site, setup.akey, 'bind', { applyId, pass: true })
    expect(await push(setup)).toMatchObject({ applyId, auditState: passed })
    expect(await findGrant(site, setup.machineId, setup.asker)).toMatchObject({ role: 'bkey' })
  })

  test('a visitor is promoted in the same way, and the Akey’s own wish needs no consent', async () => {
    const setup = await createSetup(site)
    const grantId = await site.grantMachine((await site.createUser()).userId, setup.machineId, {
      role: 'visitor',
    })
    const lift = { id: grantId, limit: 2 } as const
    expect(await site.as(setup.bkey).call(access.updateLevel, lift)).toEqual({ auditState: waitsForAkey })
    expect(await site.as(setup.akey).call(access.updateLevel, lift)).toEqual({ auditState: passed })
    const list = await site
      .as(setup.akey)
      .call(contract.listApplications, { id: setup.machineId, open: true })
    expect(list.total).toBe(0)
  })
})

test('a person whose right a key gives or takes without an application gets a message', async () => {
  const setup = await createSetup(site, { withoutBkey: true })
  const { akey, asker, machineId } = setup
  const as = site.as(akey)
  const named = { account: asker.email, machineID: machineId }
  const { visitTimeId } = await as.call(access.addVisitor, { ...named, validTime: 60 })
  await as.call(access.updateLevel, { id: visitTimeId, limit: 2 })
  await as.call(access.updateLevel, { id: visitTimeId, limit: 0 })
  expect(await listKinds(site, asker)).toEqual(['rightGiven', 'rightGiven', 'rightTaken'])
  expect(await countUnread(site, asker)).toBe(3)
})

test('the keys of an enterprise’s machine are its administrators and the managers of its team', async () => {
  const { eid, owner } = await site.createEnterprise()
  const machine = await site.createEnterpriseMachine(eid)
  const manager = await site.createMember(eid, 'member', ['manage'])
  const other = await site.createMember(eid, 'member', ['manage'])
  const asker = await createAsker(site, machine.machineId)
  const setup = { ...machine, asker }
  const alone = await ask(site, setup, 'bind')
  expect(await verify(site, owner, 'bind', { applyId: alone.applyId, pass: true })).toBe(passed)
  await site.db.deleteFrom('machine_grants').where('user_id', '=', asker.userId).execute()
  const team = await site.db
    .insertInto('enterprise_teams')
    .values({ enterprise_id: eid, name: 'Line 1', kind: 'manage' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const inTeam = { team_id: team.id, enterprise_id: eid }
  await site.db
    .insertInto('enterprise_team_members')
    .values({ ...inTeam, user_id: manager.userId })
    .execute()
  await site.db
    .insertInto('enterprise_team_machines')
    .values({ ...inTeam, machine_id: machine.machineId })
    .execute()
  await ageApplications(site, machine.machineId, 60_000)
  const { applyId } = await ask(site, setup, 'bind')
  expect(await verify(site, owner, 'bind', { applyId, pass: true })).toBe(waitsForBkey)
  const ofNoTeam = await failureOf(site.as(other), contract.verifyBind, { applyId, pass: true })
  expect(ofNoTeam.code).toBe('GENERAL_USER')
  expect(await verify(site, manager, 'bind', { applyId, pass: false })).toBe(refusedByBkey)
  expect(await listKinds(site, manager)).toEqual(['bindApply'])
  expect(await listKinds(site, other)).toEqual([])
  // A Bkey cannot blacklist any of them.
  const { machineId } = machine
  const bkey = await site.createHolder(machineId, { role: 'bkey' })
  for (const { userId } of [owner, manager]) {
    await site.listMachine(userId, machineId)
    const refusal = await failureOf(site.as(bkey), access.addToBlacklist, { deviceId: machineId, userId })
    expect(refusal.code).toBe('01010306')
  }
})

describe('refusals', () => {
  test('a refused applicant gets the reason', async () => {
    const setup = await createSetup(site)
    const { machineId } = setup
    const blacklisted = await createAsker(site, machineId)
    await site.blacklistUser(blacklisted.userId, machineId)
    const unowned = await site.createMachine()
    await site.listMachine(setup.asker.userId, unowned.machineId)
    expect(await askFor(setup.akey, machineId)).toBe('ADMINISTRATOR')
    expect(await askFor(blacklisted, machineId)).toBe('BLACKLIST')
    expect(await askFor(setup.asker, unowned.machineId)).toBe('MACHINE_UNOWNED')
    const stranger = await site.createUser()
    for (const id of [machineId, 999_999_999]) expect(await askFor(stranger, id)).toBe('GENERAL_USER')
  })

  test('only a key holder can answer; foreign and missing applications are answered alike', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'visit')
    const visitor = await site.createHolder(setup.machineId, { role: 'visitor' })
    const code = async (person: TestUser, id: number) =>
      await site.refusalOf(person, contract.verifyVisit, { applyId: id, pass: true, validTime: 60 })
    expect(await code(visitor, applyId)).toBe('WRONG_ROLE')
    expect(await code(setup.asker, applyId)).toBe('GENERAL_USER')
    const stranger = await site.createUser()
    for (const id of [applyId, 999_999_999]) expect(await code(stranger, id)).toBe('GENERAL_USER')
    const steps = await failureOf(site.as(stranger), contract.listApplicationSteps, { applyId })
    expect(steps.code).toBe('APPLICATION_GONE')
    expect(
      await site.as(stranger).call(contract.listApplicationSteps, { deviceId: setup.machineId }),
    ).toEqual([])
    expect((await failureOf(site.as(setup.akey), contract.verifyVisit, { applyId, pass: true })).field).toBe(
      'validTime',
    )
  })

  test('a person who does not get in reads their next step', async () => {
    const [setup, password] = [await createSetup(site), await createSetup(site, { checkType: 1 })]
    const { asker, machineId } = setup
    expect(await denialReason(asker, machineId)).toEqual({ code: 'GENERAL_USER', next: 'apply' })
    expect(await denialReason(password.asker, password.machineId)).toEqual({
      code: 'GENERAL_USER',
      next: 'password',
    })
    const { applyId } = await ask(site, setup, 'visit')
    expect(await denialReason(asker, machineId)).toEqual({
      code: 'GENERAL_USER',
      next: 'wait',
      applyId,
      auditState: waiting,
    })
    const stranger = await site.createUser()
    for (const id of [machineId, 999_999_999])
      expect(await denialReason(stranger, id)).toEqual({ code: 'GENERAL_USER', next: 'closed' })
    const off = { cloud_service: false }
    await site.db.updateTable('machines').set(off).where('id', '=', password.machineId).execute()
    expect(await denialReason(password.akey, password.machineId)).toEqual({
      code: 'CLOUD_EXPIRED',
      next: 'closed',
    })
  })
})

test('the page of visit times has visitors and applicants, each once', async () => {
  const setup = await createSetup(site)
  const { machineId, akey } = setup
  const people = await Promise.all(
    ['Ann', 'Bob', 'Eve', 'Max'].map((name) => createAsker(site, machineId, name)),
  )
  const [ann, bob, eve, max] = people as [TestUser, TestUser, TestUser, TestUser]
  const until = new Date(Date.now() - 1)
  await site.grantMachine((await site.createUser({ name: 'Old' })).userId, machineId, {
    role: 'visitor',
    until,
  })
  for (const [asker, pass] of [
    [ann, true],
    [bob, false],
  ] as const) {
    const { applyId } = await ask(site, { machineId, asker }, 'visit')
    await verify(site, akey, 'visit', { applyId, pass, validTime: -1 })
  }
  await ask(site, { machineId, asker: eve }, 'visit')
  await site.as(max).call(contract.cancelApplication, await ask(site, { machineId, asker: max }, 'visit'))
  const { list, total } = await site.as(akey).call(contract.listVisitTimes, { deviceId: machineId })
  expect(total).toBe(5)
  expect(list.map(({ name, status, visitTime }) => [name, status, visitTime])).toEqual([
    ['Eve', 'waiting', 0],
    ['Max', 'expired', 0],
    ['Bob', 'refused', 0],
    ['Ann', 'approved', -1],
    ['Old', 'expired', 0],
  ])
  // The testkit's people have no phone: their e-mail addresses distinguish them.
  for (const { phone, email } of list) expect([phone, email]).toEqual(['', expect.stringMatching(/\*.*@/)])
})
