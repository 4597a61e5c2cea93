import { access, applications as contract, enterprises, machines, messages, timing } from '@busbar/contract'
import { countLockWaits, failureOf, PushClient, type TestUser } from '@busbar/testkit'
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
  machinePassword,
  verify,
} from '../../../../test-support/applications/application-setup.ts'
import { lockMachine, updateApplication } from '../index.ts'

const site = useSite()

const { waiting, waitsForBkey, waitsForAkey, refusedByAkey, refusedByBkey, passed, over } =
  contract.auditStates

/** The state of the application on a person's page, once it is this one. */
const sees = (page: PushClient, state: number) =>
  page.find((event) =>
    event.scene === 'audit' && event.audit.auditState === state
      ? { kind: event.kind, ...event.audit }
      : undefined,
  )
const stepsOf = (person: TestUser, applyId: number) =>
  site.as(person).call(contract.listApplicationSteps, { applyId })

describe('to become Bkey', () => {
  test('without a Bkey the Akey decides alone, and both see it without a reload', async () => {
    const setup = await createSetup(site, { withoutBkey: true })
    const { akey, asker, machineId } = setup
    const [ofKey, ofAsker] = await Promise.all(
      [akey, asker].map(({ token }) => PushClient.open(site.url, token)),
    )
    const { applyId, auditState } = await ask(site, setup, 'bind')
    expect(auditState).toBe(waiting)
    const told = { kind: 'bind', deviceId: String(machineId), applyId: String(applyId) }
    expect(await sees(ofKey as PushClient, waiting)).toMatchObject({
      ...told,
      isResult: false,
      totalUnreadMsg: 1,
    })
    const mine = await site.as(asker).call(machines.listMachines, {})
    expect('list' in mine && mine.list[0]?.application).toEqual({ applyId, kind: 'bind', auditState })

    expect(await verify(site, akey, 'bind', { applyId, pass: true })).toBe(passed)
    expect(await sees(ofAsker as PushClient, passed)).toMatchObject({
      ...told,
      isResult: true,
      totalUnreadMsg: 1,
    })
    await sees(ofKey as PushClient, passed)
    expect(await findGrant(site, machineId, asker)).toMatchObject({
      role: 'bkey',
      until: null,
      read_only: false,
    })
    expect(await listKinds(site, asker)).toEqual(['bindSent', 'bindSuccess'])
    expect(await listKinds(site, akey)).toEqual(['bindApply'])
    expect(await site.refusalOf(asker, contract.applyForBind, { machineID: machineId })).toBe('ADMINISTRATOR')
    ofKey?.close()
    ofAsker?.close()
  })

  test('with a Bkey it takes both keys, in either order', async () => {
    for (const first of ['akey', 'bkey'] as const) {
      const setup = await createSetup(site)
      const second = first === 'akey' ? 'bkey' : 'akey'
      const { applyId } = await ask(site, setup, 'bind')
      const half = first === 'akey' ? waitsForBkey : waitsForAkey
      expect(await verify(site, setup[first], 'bind', { applyId, pass: true })).toBe(half)
      expect(await verify(site, setup[first], 'bind', { applyId, pass: true })).toBe(half)
      expect(await findGrant(site, setup.machineId, setup.asker)).toBeUndefined()
      expect(await verify(site, setup[second], 'bind', { applyId, pass: true })).toBe(passed)
      expect(await findGrant(site, setup.machineId, setup.asker)).toMatchObject({ role: 'bkey' })
    }
  })

  test('either key’s refusal ends it, and the other sees that it was answered', async () => {
    const setup = await createSetup(site)
    const page = await PushClient.open(site.url, setup.akey.token)
    const { applyId } = await ask(site, setup, 'bind')
    expect(await verify(site, setup.bkey, 'bind', { applyId, pass: false })).toBe(refusedByBkey)
    expect(await sees(page, refusedByBkey)).toMatchObject({ isResult: true, totalUnreadMsg: 1 })
    expect(await verify(site, setup.akey, 'bind', { applyId, pass: true })).toBe(refusedByBkey)
    expect(await findGrant(site, setup.machineId, setup.asker)).toBeUndefined()
    expect(await listKinds(site, setup.asker)).toEqual(['bindSent', 'bindReply'])
    const steps = await stepsOf(setup.asker, applyId)
    expect(steps.map(({ step, key, byMasked }) => [step, key, byMasked])).toEqual([
      ['applied', '', 'Chen Lan'],
      ['refused', 'B', 'Z**'],
    ])
    expect((await stepsOf(setup.akey, applyId))[1]?.byMasked).toBe('Zhao Bkey')
    page.close()
  })

  test('that waits for a Bkey is the Akey’s again once the last one is gone, and the Akey is notified', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'bind')
    expect(await verify(site, setup.akey, 'bind', { applyId, pass: true })).toBe(waitsForBkey)
    const before = await countUnread(site, setup.akey)
    await site.as(setup.bkey).call(machines.removeMachine, { delMachineID: setup.machineId })
    expect((await listKinds(site, setup.akey)).at(-1)).toBe('bindApply')
    expect(await countUnread(site, setup.akey)).toBe(before + 1)
    expect(await verify(site, setup.akey, 'bind', { applyId, pass: true })).toBe(passed)
  })

  test('that waits for a Bkey is the Akey’s again once the mode gives Bkeys no say, and the Akey is notified', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'bind')
    expect(await verify(site, setup.akey, 'bind', { applyId, pass: true })).toBe(waitsForBkey)
    // Asked once more only, however often the mode changes after that.
    for (const checkType of [1, 0, 1] as const) {
      const mode = { machineCode: setup.code, checkType, password: machinePassword }
      await site.as(setup.akey).call(access.updateMachineInfo, mode)
      expect(await listKinds(site, setup.akey)).toEqual(['bindApply', 'bindApply'])
    }
    expect(await listKinds(site, setup.bkey)).toEqual(['bindApply'])
    expect(await verify(site, setup.akey, 'bind', { applyId, pass: true })).toBe(passed)
  })

  test('that waits for a manager of an enterprise is the owner’s again once the last one left, and the owner is notified', async () => {
    const { eid, owner } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid)
    const managers = [
      await site.createMember(eid, 'member', ['manage']),
      await site.createMember(eid, 'member', ['manage']),
    ]
    const memberIds = managers.map(({ userId }) => userId)
    await site.createTeam({ eid, kind: 'manage', memberIds, machineIds: [machineId] })
    const asker = await createAsker(site, machineId)
    const { applyId } = await ask(site, { machineId, asker }, 'bind')
    expect(await verify(site, owner, 'bind', { applyId, pass: true })).toBe(waitsForBkey)
    const asked = async () => (await listKinds(site, owner)).filter((kind) => kind === 'bindApply').length
    const before = await countUnread(site, owner)
    for (const [userId, count] of [
      [memberIds[0], 1],
      [memberIds[1], 2],
    ] as const) {
      await site.as(owner).call(enterprises.removeMember, { eid, userId: userId ?? 0 })
      expect(await asked()).toBe(count)
    }
    expect(await countUnread(site, owner)).toBe(before + 1)
    expect(await verify(site, owner, 'bind', { applyId, pass: true })).toBe(passed)
  })

  test('that waits for a manager who leaves at the same moment is the owner’s again, and the owner is notified', async () => {
    const { eid, owner } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid)
    const { userId } = await site.createMember(eid, 'member', ['manage'])
    await site.createTeam({ eid, kind: 'manage', memberIds: [userId], machineIds: [machineId] })
    const asker = await createAsker(site, machineId)
    const { applyId } = await ask(site, { machineId, asker }, 'bind')
    const { leaving } = await site.db.transaction().execute(async (trx) => {
      await lockMachine(trx, machineId)
      const leaving = site.as(owner).call(enterprises.removeMember, { eid, userId })
      leaving.catch(() => undefined)
      await expect.poll(() => countLockWaits(site.db), { timeout: 10_000 }).toBe(1)
      const answer = { step: 'passed', key: 'A', userId: owner.userId, state: waitsForBkey } as const
      await updateApplication(trx, applyId, { ...answer, isOpen: true }, new Date())
      return { leaving }
    })
    await leaving
    expect((await listKinds(site, owner)).filter((kind) => kind === 'bindApply')).toHaveLength(2)
    expect(await verify(site, owner, 'bind', { applyId, pass: true })).toBe(passed)
  })

  test('the smallest right that two keys set is given', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'bind')
    await site.as(setup.akey).call(contract.verifyBind, { applyId, pass: true, limitRead: 1, limitAlarm: 0 })
    await site.as(setup.bkey).call(contract.verifyBind, { applyId, pass: true, limitRead: 0, limitAlarm: 1 })
    expect(await findGrant(site, setup.machineId, setup.asker)).toMatchObject({
      read_only: true,
      alarms: false,
    })
  })

  test('two keys that answer at the same time produce one result, and both receive it', async () => {
    for (let round = 0; round < 4; round++) {
      const setup = await createSetup(site)
      const { applyId } = await ask(site, setup, 'visit')
      const states = await Promise.all([
        verify(site, setup.akey, 'visit', { applyId, pass: false }),
        verify(site, setup.bkey, 'visit', { applyId, pass: true }),
        verify(site, setup.akey, 'visit', { applyId, pass: false, blacklist: true }),
      ])
      expect(new Set(states).size).toBe(1)
      const isIn = (await findGrant(site, setup.machineId, setup.asker)) !== undefined
      expect(isIn).toBe(states[0] === passed)
      expect(await stepsOf(setup.akey, applyId)).toHaveLength(2)
      expect(await listKinds(site, setup.asker)).toHaveLength(2)
      expect(await countUnread(site, setup.asker)).toBe(1)
    }
  })
})

describe('to visit', () => {
  test('either key lets in for a time, read-only by default', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'visit')
    expect(await verify(site, setup.bkey, 'visit', { applyId, pass: true, validTime: 10 })).toBe(passed)
    const grant = await findGrant(site, setup.machineId, setup.asker)
    expect(grant).toMatchObject({ role: 'visitor', read_only: true })
    expect(grant?.until?.getTime()).toBeGreaterThan(Date.now() + 9 * 60_000)
    expect(await listKinds(site, setup.asker)).toEqual(['visitSent', 'visitSuccess'])
  })

  test('answering marks the application’s message as read, by either call, for the answering key and not for the other', async () => {
    const setup = await createSetup(site)
    const { akey, bkey, machineId, asker } = setup
    const msgIdOf = async (key: TestUser) =>
      (await site.as(key).call(messages.listMessages, { scene: 'inbox', read: false })).list[0]?.id ?? 0
    const { applyId } = await ask(site, setup, 'visit')
    const verdict = { applyId, pass: true, validTime: 10, msgId: await msgIdOf(akey) }
    await site.as(akey).call(contract.verifyVisit, verdict)
    expect([await countUnread(site, akey), await countUnread(site, bkey)]).toEqual([0, 1])
    const reply = { messageID: await msgIdOf(bkey), machineID: machineId, userID: asker.userId, state: 1 }
    await site.as(bkey).call(contract.replyToVisit, { ...reply, state: 1, validTime: 10 })
    expect(await countUnread(site, bkey)).toBe(0)
  })

  test('a running visit time is used again, and a read-only visitor may apply for more', async () => {
    const setup = await createSetup(site)
    const first = await ask(site, setup, 'visit')
    await verify(site, setup.akey, 'visit', { applyId: first.applyId, pass: true })
    expect(await ask(site, setup, 'visit', { mode: 'ro' })).toEqual({ applyId: 0, auditState: passed })
    await ageApplications(site, setup.machineId, 60_000)
    const more = await ask(site, setup, 'visit', { mode: 'rw' })
    expect(more.auditState).toBe(waiting)
    expect(await ask(site, setup, 'visit', { mode: 'rw' })).toEqual(more)
    await verify(site, setup.akey, 'visit', { applyId: more.applyId, pass: true, mode: 'rw', validTime: -1 })
    expect(await findGrant(site, setup.machineId, setup.asker)).toMatchObject({
      read_only: false,
      until: null,
    })
    expect(await ask(site, setup, 'visit', { mode: 'rw' })).toEqual({ applyId: 0, auditState: passed })
  })

  test('an applicant for read-only access does not get read-write access', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'visit', { mode: 'ro' })
    await verify(site, setup.akey, 'visit', { applyId, pass: true, mode: 'rw' })
    expect(await findGrant(site, setup.machineId, setup.asker)).toMatchObject({ read_only: true })
  })

  test('four simultaneous applications become one', async () => {
    const setup = await createSetup(site)
    const asked = await Promise.all([1, 2, 3, 4].map(() => ask(site, setup, 'visit')))
    expect(new Set(asked.map(({ applyId }) => applyId)).size).toBe(1)
    expect(await listKinds(site, setup.akey)).toEqual(['visitApply'])
    expect(await countUnread(site, setup.akey)).toBe(1)
  })

  test('is over for readers after exactly 24 hours, and is notified afterwards', async () => {
    const setup = await createSetup(site)
    const { akey, asker, machineId } = setup
    const { applyId } = await ask(site, setup, 'visit')
    const page = await PushClient.open(site.url, asker.token)
    await ageApplications(site, machineId, timing.applicationMs)
    const list = (open: boolean) => site.as(akey).call(contract.listApplications, { id: machineId, open })
    expect((await list(true)).list).toEqual([])
    expect((await list(false)).list).toMatchObject([{ applyId, auditState: over, mayAnswer: false }])
    expect(await sees(page, over)).toMatchObject({ isResult: true, totalUnreadMsg: 1 })
    expect(await listKinds(site, asker)).toEqual(['visitSent', 'visitReply'])
    expect(await verify(site, akey, 'visit', { applyId, pass: true })).toBe(over)
    expect(await findGrant(site, machineId, asker)).toBeUndefined()
    page.close()
  })

  test('a late answer lets nobody in, even before the end is recorded', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'visit')
    await ageApplications(site, setup.machineId, timing.applicationMs)
    expect(await verify(site, setup.akey, 'visit', { applyId, pass: true })).toBe(over)
    expect(await findGrant(site, setup.machineId, setup.asker)).toBeUndefined()
    expect((await ask(site, setup, 'visit')).applyId).toBeGreaterThan(applyId)
  })

  test('can be withdrawn by the applicant only', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'visit')
    const other = await createAsker(site, setup.machineId)
    for (const stranger of [other, setup.akey]) {
      const failure = await failureOf(site.as(stranger), contract.cancelApplication, { applyId })
      expect(failure.code).toBe('APPLICATION_GONE')
    }
    const page = await PushClient.open(site.url, setup.akey.token)
    await site.as(setup.asker).call(contract.cancelApplication, { applyId })
    await sees(page, over)
    expect(await verify(site, setup.akey, 'visit', { applyId, pass: true })).toBe(over)
    expect(await findGrant(site, setup.machineId, setup.asker)).toBeUndefined()
    expect(await site.refusalOf(setup.asker, contract.cancelApplication, { applyId })).toBe(
      'APPLICATION_GONE',
    )
    page.close()
  })

  test('can be sent once a minute, after three refusals once in five', async () => {
    const setup = await createSetup(site)
    const again = () =>
      failureOf(site.as(setup.asker), contract.applyForVisit, {
        machineID: setup.machineId,
        terminalID: 'terminal',
      })
    for (let round = 0; round < 3; round++) {
      await ageApplications(site, setup.machineId, 60_000)
      const { applyId } = await ask(site, setup, 'visit')
      await verify(site, setup.akey, 'visit', { applyId, pass: false })
      expect(await again()).toMatchObject({ code: 'VISIT_TOO_OFTEN' })
    }
    await ageApplications(site, setup.machineId, 4 * 60_000)
    const { code, data } = await again()
    const { retryIn } = data as { retryIn: number }
    expect([code, retryIn > 50 && retryIn <= 60]).toEqual(['VISIT_TOO_OFTEN', true])
    await ageApplications(site, setup.machineId, 60_000)
    expect((await ask(site, setup, 'visit')).auditState).toBe(waiting)
    expect((await ask(site, setup, 'bind')).auditState).toBe(waiting)
  })

  test('is over when a key lets the applicant in meanwhile', async () => {
    const setup = await createSetup(site)
    const { applyId } = await ask(site, setup, 'visit')
    await site
      .as(setup.bkey)
      .call(access.addVisitor, { machineID: setup.machineId, account: setup.asker.email, validTime: 60 })
    expect((await stepsOf(setup.asker, applyId)).at(-1)).toMatchObject({
      step: 'passed',
      key: 'B',
      state: passed,
    })
  })
})

test('the older form of an answer goes to the application its message is about', async () => {
  const setup = await createSetup(site)
  const { machineId, akey, asker } = setup
  await ask(site, setup, 'visit')
  const [message] = (await site.as(akey).call(messages.listMessages, { scene: 'inbox' })).list
  const reply = { messageID: message?.id ?? 0, machineID: machineId, userID: asker.userId }
  expect(message).toMatchObject({ type: 'visitApply', mayAnswer: true })
  const asBind = { ...reply, state: 1 as const }
  expect(await site.refusalOf(akey, contract.replyToBind, asBind)).toBe('APPLICATION_GONE')
  expect(await site.as(akey).call(contract.replyToVisit, { ...reply, state: 0 })).toEqual({
    auditState: refusedByAkey,
  })
  // A second answer to the old message does not affect the next application.
  await ageApplications(site, machineId, 60_000)
  await ask(site, setup, 'visit')
  const late = await site.as(akey).call(contract.replyToVisit, { ...reply, state: 1, validTime: -1 })
  expect(late).toEqual({ auditState: refusedByAkey })
  expect(await findGrant(site, machineId, asker)).toBeUndefined()
})
