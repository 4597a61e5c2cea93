import { codes, enterprises as contract, messages } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeEach, expect, test } from 'vitest'
import { readCode, readOutbox, TestBrowser } from '../../../test-support/registration/test-browser.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createAccess } from '../access/index.ts'
import { createMailbox } from '../messages/index.ts'
import { eraseSpaces } from './erase-spaces.ts'

const site = useSite()
let eid: number
let owner: TestUser
let second: TestUser
let member: TestUser
let machineId: number
beforeEach(async () => {
  const space = await site.createEnterprise()
  eid = space.eid
  owner = space.owner
  second = await site.createMember(eid, 'owner', [])
  member = await site.createMember(eid, 'member', ['view'])
  machineId = (await site.createEnterpriseMachine(eid)).machineId
})

async function codeFor(user: TestUser): Promise<string> {
  const wish = { email: user.email, purpose: 'deleteEnterprise' }
  expect(await new TestBrowser(site.url).ask('POST', codes.sendEmailCode.path, wish)).toBe('OK')
  return readCode(site.db, user.email)
}
const leave = async () => site.as(owner).call(contract.deleteEnterprise, { eid, code: await codeFor(owner) })

async function levelOf(user: TestUser): Promise<number> {
  const rights = await createAccess(site.db).list(user.userId, [machineId], Date.now())
  return rights.get(machineId)?.level ?? 0
}

async function erase(): Promise<void> {
  const { db } = site
  const failed: unknown[] = []
  const logger = { ...silentLogger, warn: (what: unknown) => failed.push(what) }
  const mailbox = createMailbox(db)
  await eraseSpaces({ db, mailbox, facts: site.platform.facts, logger }, Date.now())
  expect(failed).toEqual([])
}

test('an enterprise can be deleted only by an owner with their own code', async () => {
  const admin = await site.createMember(eid, 'admin', [])
  const refusalOf = async (user: TestUser, code: string) =>
    await site.refusalOf(user, contract.deleteEnterprise, { eid, code })
  expect(await refusalOf(admin, await codeFor(admin))).toBe('OWNER_ONLY')
  expect(await refusalOf(second, await codeFor(owner))).toBe('CODE_WRONG')
  expect((await failureOf(site.as(member), contract.deleteEnterprise, { eid, code: '2345' })).http).toBe(403)
  await site.as(owner).call(contract.deleteEnterprise, { eid, code: await readCode(site.db, owner.email) })
})

test('from the request on members have no rights, and every owner is notified by message and e-mail', async () => {
  expect([await levelOf(owner), await levelOf(member)]).toEqual([3, 1])
  await leave()
  expect([await levelOf(owner), await levelOf(member)]).toEqual([0, 0])
  for (const one of [owner, second, member])
    expect((await failureOf(site.as(one), contract.getEnterprise, { eid })).http).toBe(403)
  for (const one of [owner, second]) {
    const page = await site.as(one).call(messages.listMessages, { scene: 'device' })
    expect(JSON.stringify(page)).toContain('Foundry North')
    expect((await readOutbox(site.db, one.email)).text).toContain('Foundry North')
  }
})

test('any owner takes the deletion back, and every right returns; a member does not', async () => {
  const { until } = await leave()
  const listed = [{ eid, name: 'Foundry North', until }]
  expect(await site.as(second).call(contract.listLeavingEnterprises, {})).toEqual(listed)
  expect(await site.as(member).call(contract.listLeavingEnterprises, {})).toEqual([])
  const stranger = await site.createUser()
  for (const one of [member, stranger])
    expect(await site.refusalOf(one, contract.keepEnterprise, { eid })).toBe('404')
  await site.as(second).call(contract.keepEnterprise, { eid })
  expect([await levelOf(owner), await levelOf(member)]).toEqual([3, 1])
  expect(await site.refusalOf(second, contract.keepEnterprise, { eid })).toBe('404')
})

test('after its time an enterprise is gone, its devices are unowned and rights to them have ended', async () => {
  const holder = await site.createHolder(machineId, { role: 'visitor' })
  await leave()
  await erase()
  expect(await levelOf(holder)).toBe(1)
  const leavesAt = new Date(Date.now() - 3_600_000)
  await site.db.updateTable('enterprises').set({ leaves_at: leavesAt }).where('id', '=', eid).execute()
  expect(await site.refusalOf(second, contract.keepEnterprise, { eid })).toBe('404')
  await Promise.all([erase(), erase()])
  expect(await levelOf(holder)).toBe(0)
  const machine = await site.db
    .selectFrom('machines')
    .select(['owner_user_id', 'owner_enterprise_id'])
    .where('id', '=', machineId)
    .executeTakeFirstOrThrow()
  expect(machine).toEqual({ owner_user_id: null, owner_enterprise_id: null })
  const rows = await site.db.selectFrom('enterprises').select('id').where('id', '=', eid).execute()
  expect(rows).toEqual([])
})
