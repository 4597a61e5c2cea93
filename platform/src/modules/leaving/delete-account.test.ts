import { access, accounts, codes, enterprises, machines, messages } from '@busbar/contract'
import { aside, failureOf, PushClient, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { calmMsOf } from '@busbar/testkit/until.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readCode, readOutbox, TestBrowser } from '../../../test-support/registration/test-browser.ts'
import { Inside } from '../../../test-support/visit-host/inside.ts'
import { Station } from '../../../test-support/visit-host/station.ts'
import { createAccess } from '../access/index.ts'

const password = 'correct horse'
const dayMs = 86_400_000
const deadline = { timeout: 10_000, interval: 10 }
let ann: TestUser
let skippedMs = 0

const site = useSite({}, { now: () => Date.now() + skippedMs })
beforeEach(async () => {
  ann = await site.createUser({ name: 'Ann', password, lang: 'en' })
})

/** Requests the code of a person's deletion and answers it. */
async function codeFor(user: TestUser): Promise<string> {
  const browser = new TestBrowser(site.url)
  const wish = { email: user.email, purpose: 'deleteAccount' }
  expect(await browser.ask('POST', codes.sendEmailCode.path, wish)).toBe('OK')
  return readCode(site.db, user.email)
}

async function leave(user: TestUser): Promise<number> {
  await site.as(user).call(accounts.provePassword, { password })
  return (await site.as(user).call(accounts.deleteAccount, { code: await codeFor(user) })).until
}

const come = (user: TestUser) =>
  site.as(undefined).call(accounts.login, {
    loginName: user.email,
    loginPwd: password,
    terminalUUID: 'a terminal of the test',
  })

const refusalOf = async (user: TestUser) => {
  await site.proveSession(user.sessionId)
  const code = await codeFor(user)
  return await site.refusalOf(user, accounts.deleteAccount, { code })
}

const levelOf = async (user: TestUser, machineId: number) => {
  const rights = await createAccess(site.db).list(user.userId, [machineId], Date.now())
  return rights.get(machineId)?.level ?? 0
}

describe('an account', () => {
  test('is not deleted without the password, or with a wrong code', async () => {
    const code = await codeFor(ann)
    expect(await site.refusalOf(ann, accounts.deleteAccount, { code })).toBe('PROOF_NEEDED')
    await site.proveSession(ann.sessionId)
    const wrong = code === '2222' ? '3333' : '2222'
    expect(await site.refusalOf(ann, accounts.deleteAccount, { code: wrong })).toBe('CODE_WRONG')
    await site.as(ann).call(accounts.deleteAccount, { code })
  })

  test('of the last owner of an enterprise is refused, also while the other owner leaves', async () => {
    const { eid, owner } = await site.createEnterprise()
    const second = await site.createMember(eid, 'owner', [])
    await site.proveSession(second.sessionId)
    await site.as(second).call(accounts.deleteAccount, { code: await codeFor(second) })
    expect(await refusalOf(owner)).toBe('ACCOUNT_LAST_OWNER')
    const { hindrances } = await site.as(owner).call(accounts.getDeletion, {})
    expect(hindrances).toEqual([{ reason: 'lastOwner', id: eid, name: 'Foundry North' }])
    const quit = failureOf(site.as(owner), enterprises.removeMember, { eid, userId: owner.userId })
    expect((await quit).code).toBe('LAST_OWNER')
  })

  test('of the Akey of a machine that others hold is refused, until they are released', async () => {
    const { machineId } = await site.createMachine({ owner: ann.userId, name: 'Press' })
    await site.createHolder(machineId, { role: 'visitor' })
    expect(await refusalOf(ann)).toBe('ACCOUNT_MACHINES_HELD')
    const { hindrances } = await site.as(ann).call(accounts.getDeletion, {})
    expect(hindrances).toEqual([{ reason: 'held', id: machineId, name: 'Press' }])
    await site.db.deleteFrom('machine_grants').where('machine_id', '=', machineId).execute()
    // The refusal did not use the code up.
    const code = await readCode(site.db, ann.email)
    await site.as(ann).call(accounts.deleteAccount, { code })
  })

  test('of both parties to an open transfer is refused', async () => {
    const ben = await site.createUser({ password })
    const { machineId } = await site.createMachine({ owner: ann.userId })
    await site.proveSession(ann.sessionId)
    const offer = { machineID: machineId, account: ben.email }
    const { applyId } = await site.as(ann).call(machines.offerMachine, offer)
    for (const party of [ann, ben]) expect(await refusalOf(party)).toBe('ACCOUNT_TRANSFER_OPEN')
    await site.as(ben).call(machines.answerTransfer, { applyId, action: 'refuse' })
    await site.as(ann).call(accounts.deleteAccount, { code: await readCode(site.db, ann.email) })
  })
})

describe('from the request on', () => {
  test('sessions, an open page and an open visit end, and other sessions are refused', async () => {
    const owner = await site.createUser()
    const machine = await site.createMachine({ owner: owner.userId })
    await site.grantMachine(ann.userId, machine.machineId, { role: 'visitor' })
    const station = await Station.open(site, machine)
    onTestFinished(() => station.close())
    const { ticket } = await site.as(ann).call(accounts.createPushTicket, {})
    const page = await PushClient.open(site.url, ticket)
    onTestFinished(() => page.close())
    page.watch(machine.machineId)
    await page.find((event) => (event.scene === 'values' ? true : undefined))
    const inside = await Inside.enter(site, ann, station)
    onTestFinished(() => inside.close())
    await inside.open(['events', 'socket'])
    const second = await site.signIn(ann.userId)
    await leave(ann)
    const tookMs = await calmMsOf(async () => {
      await expect.poll(() => inside.things.map(({ state }) => state), deadline).toEqual(['cut', 'cut'])
      expect((await page.waitForClose()).code).toBe(4401)
    })
    expect(tookMs).toBeLessThan(1_000)
    for (const session of [ann, second])
      expect((await failureOf(site.as(session), accounts.selectInfo, {})).hwcode).toBe(113)
  })

  test('every right is suspended, nothing more can be given, and nothing is sent', async () => {
    const owner = await site.createUser()
    const { machineId } = await site.createMachine({ owner: owner.userId })
    const own = await site.createMachine({ owner: ann.userId })
    await site.grantMachine(ann.userId, machineId, { role: 'bkey' })
    await leave(ann)
    for (const id of [machineId, own.machineId]) expect(await levelOf(ann, id)).toBe(0)
    const accessPort = createAccess(site.db)
    expect((await accessPort.listKeys(machineId, Date.now())).map(({ userId }) => userId)).toEqual([
      owner.userId,
    ])
    const audience = await accessPort.listAudience([machineId], Date.now())
    expect(audience.filter(({ userId, access }) => userId === ann.userId && access.alarms)).toEqual([])
    const gift = { machineID: machineId, account: ann.email, validTime: -1, mode: 'rw' } as const
    expect(await site.refusalOf(owner, access.addVisitor, gift)).toBe('01010304')
    const { text } = await readOutbox(site.db, ann.email)
    expect(text).toContain('Sign in before then to cancel the deletion')
  })

  test('a request for an enterprise’s things is refused as well', async () => {
    const { eid } = await site.createEnterprise()
    const admin = await site.createMember(eid, 'admin', [])
    await site.db
      .updateTable('users')
      .set({ state: 'leaving', leaves_at: new Date(Date.now() + dayMs) })
      .where('id', '=', admin.userId)
      .execute()
    expect((await failureOf(site.as(admin), enterprises.getEnterprise, { eid })).hwcode).toBe(113)
  })
})

describe('signing in', () => {
  test('within 14 days cancels the deletion, confirms it once, and every right returns', async () => {
    const owner = await site.createUser()
    const { machineId } = await site.createMachine({ owner: owner.userId })
    await site.grantMachine(ann.userId, machineId, { role: 'visitor' })
    const until = await leave(ann)
    expect(Math.abs(until - Date.now() - 14 * dayMs)).toBeLessThan(60_000)
    const { token, deletionTakenBack } = await come(ann)
    expect(deletionTakenBack).toBe(true)
    expect(await levelOf(ann, machineId)).toBe(1)
    await site.as({ token }).call(messages.listMessages, { scene: 'inbox' })
    expect((await come(ann)).deletionTakenBack).toBe(false)
  })

  test('after 14 days cancels nothing, though nothing was erased yet', async () => {
    await leave(ann)
    skippedMs = 14 * dayMs + 1_000
    onTestFinished(() => {
      skippedMs = 0
    })
    const failed = site.as(undefined).call(accounts.login, {
      loginName: ann.email,
      loginPwd: password,
      terminalUUID: 'a terminal of the test',
    })
    await expect(failed).rejects.toMatchObject({ code: '07010109' })
  })

  test('cancels nothing for a person whom an operator locked', async () => {
    await leave(ann)
    await site.db.updateTable('users').set({ state: 'locked' }).where('id', '=', ann.userId).execute()
    await expect(come(ann)).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' })
  })
})

test('a transfer accepted while the deletion waits for it is counted: the machine goes with its new Akey', async () => {
  const ben = await site.createUser({ password })
  const { machineId } = await site.createMachine({ owner: ann.userId })
  await site.proveSession(ann.sessionId)
  await site.proveSession(ben.sessionId)
  const offer = { machineID: machineId, account: ben.email }
  const { applyId } = await site.as(ann).call(machines.offerMachine, offer)
  const code = await codeFor(ben)
  const countBlocked = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(site.db)
    return rows[0]?.count ?? 0
  }
  const accepted = vi.fn()
  const deletion = await site.db.transaction().execute(
    aside(async (trx) => {
      await sql`select from machines where id = ${machineId} for update`.execute(trx)
      const answer = site.as(ben).call(machines.answerTransfer, { applyId, action: 'accept' }).then(accepted)
      await expect.poll(countBlocked, deadline).toBe(1)
      const leaving = site.as(ben).call(accounts.deleteAccount, { code })
      await expect.poll(countBlocked, deadline).toBe(2)
      return { answer, leaving }
    }),
  )
  await deletion.answer
  await deletion.leaving
  expect(accepted).toHaveBeenCalledOnce()
  const { owner_user_id: owner } = await site.db
    .selectFrom('machines')
    .select('owner_user_id')
    .where('id', '=', machineId)
    .executeTakeFirstOrThrow()
  expect(owner).toBe(ben.userId)
  expect(await levelOf(ben, machineId)).toBe(0)
})
