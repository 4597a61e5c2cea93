import { codes, enterprises as contract, limits, machines, messages, timing } from '@busbar/contract'
import { failureOf, type TestEnterprise, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { readCode, readOutbox, TestBrowser } from '../../../test-support/registration/test-browser.ts'
import { createFriend } from '../../../test-support/rights/things.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createMailbox } from '../messages/index.ts'
import { eraseSpaces } from './erase-spaces.ts'
import { expireHandovers } from './handovers-service.ts'

/** Requests are limited by the minute: each test begins in its own. */
let skippedMs = 0
const clock = () => Date.now() + skippedMs
let space: TestEnterprise
let eid: number
let owner: TestUser
let ben: TestUser
let devices: number[]
const site = useSite({}, { now: clock })
beforeEach(async () => {
  skippedMs += 61_000
  space = await site.createEnterprise()
  ;({ eid, owner } = space)
  ben = await site.createUser({ name: 'Ben' })
  devices = []
  for (const name of ['Press', 'Oven']) {
    devices.push((await site.createEnterpriseMachine(eid, { name })).machineId)
  }
})

type Taker = { account: string } | { userId: number } | { eid: number }
const ask = async (machinesTo: Taker, from = owner) =>
  (await site.as(from).call(contract.askHandover, { eid, machinesTo })).id
const askRefusal = async (machinesTo: object, from = owner) =>
  failureOf(site.as(from), contract.askHandover, { eid, machinesTo })
const answer = (user: TestUser, id: number, action: contract.HandoverAction = 'accept') =>
  site.as(user).call(contract.answerHandover, { id, action })
const answerRefusal = async (user: TestUser, id: number, action: contract.HandoverAction = 'accept') =>
  await site.refusalOf(user, contract.answerHandover, { id, action })
const shown = async () => (await site.as(owner).call(contract.getHandover, { eid })).handover
const received = (user: TestUser) => site.as(user).call(contract.listHandovers, {})
const textsOf = async (user: TestUser, scene: messages.MessageTab, lang: 'cn' | 'en' = 'en') =>
  (await site.as(user, lang).call(messages.listMessages, { scene })).list

async function codeOf(user: TestUser): Promise<string> {
  const wish = { email: user.email, purpose: 'deleteEnterprise' }
  expect(await new TestBrowser(site.url).ask('POST', codes.sendEmailCode.path, wish)).toBe('OK')
  return readCode(site.db, user.email)
}
type Named = { machinesToUserId: number } | { machinesToEid: number }
const leave = async (machinesTo?: Named) =>
  site.as(owner).call(contract.deleteEnterprise, {
    eid,
    code: await codeOf(owner),
    ...machinesTo,
  })

const makeDue = () =>
  site.db
    .updateTable('enterprises')
    .set({ leaves_at: new Date(clock() - 3_600_000) })
    .where('id', '=', eid)
    .execute()

/** One round of housekeeping; answers its failures. */
async function eraseRound(): Promise<unknown[]> {
  const { db } = site
  const failed: unknown[] = []
  const logger = { ...silentLogger, warn: (what: unknown) => failed.push(what) }
  const mailbox = createMailbox(db)
  await eraseSpaces({ db, mailbox, facts: site.platform.facts, logger }, clock())
  return failed
}
async function erase(): Promise<void> {
  await makeDue()
  expect(await eraseRound()).toEqual([])
}

async function ownersOf(ids = devices): Promise<unknown[]> {
  const rows = await site.db
    .selectFrom('machines')
    .select(['owner_user_id as userId', 'owner_enterprise_id as eid'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows
}
const ownedBy = (owner: { userId?: number; eid?: number }) =>
  devices.map(() => ({ userId: owner.userId ?? null, eid: owner.eid ?? null }))

async function fillList(userId: number, count: number): Promise<void> {
  await sql`
    with filler as (
      insert into machines (code, type, name, secret_hash)
      select (7000000000000000000 + ${userId} * 10000 + n)::text, 'machine', 'Filler', sha256('x')
      from generate_series(1, ${count}::int) n returning id)
    insert into machine_list_entries (user_id, machine_id, name)
    select ${userId}, id, 'Filler ' || id from filler`.execute(site.db)
}

describe('a request to take the devices', () => {
  test('needs an owner, has one receiver at a time, and reaches its possible answerers in their language', async () => {
    const admin = await site.createMember(eid, 'admin', [])
    expect((await askRefusal({ account: ben.email }, admin)).code).toBe('OWNER_ONLY')
    expect(await site.refusalOf(admin, contract.getHandover, { eid })).toBe('OWNER_ONLY')
    expect(await shown()).toBeNull()
    const id = await ask({ account: ben.email })
    expect((await askRefusal({ account: ben.email })).code).toBe('HANDOVER_OPEN')
    expect(await shown()).toMatchObject({ id, state: 'asked', to: 'Ben', toUserId: ben.userId, devices: 2 })
    expect(await received(ben)).toMatchObject([{ id, enterprise: 'Foundry North', toEid: null, devices: 2 }])
    const [message] = await textsOf(ben, 'inbox')
    expect(message).toMatchObject({ type: 'transfer', handoverId: id, mayAnswer: true })
    expect(message?.body).toContain('2 devices of “Foundry North”')
    expect(message?.times).toHaveLength(1)
    expect((await textsOf(ben, 'inbox', 'cn'))[0]?.body).toContain('2 台设备')
    for (const stranger of [owner, admin]) {
      expect(await received(stranger)).toEqual([])
      expect(await answerRefusal(stranger, id)).toBe('HANDOVER_GONE')
    }
    await answer(ben, id)
    expect(await shown()).toMatchObject({ state: 'accepted' })
    expect(await received(ben)).toEqual([])
    expect((await textsOf(ben, 'inbox'))[0]).toMatchObject({ mayAnswer: false })
    expect((await textsOf(owner, 'sent'))[0]?.body).toContain('Ben accepted')
    expect(await answerRefusal(ben, id, 'refuse')).toBe('HANDOVER_GONE')
  })

  test('only a friend can be named by id, and no enterprise that is closed or the same', async () => {
    expect((await askRefusal({ userId: ben.userId })).code).toBe('01010304')
    await createFriend(site.db, owner.userId, ben.userId)
    await ask({ userId: ben.userId })
    await site.as(owner).call(contract.withdrawHandover, { eid })
    expect((await askRefusal({ eid })).code).toBe('HANDOVER_SELF')
    expect((await askRefusal({ eid: 2 ** 40 })).code).toBe('ENTERPRISE_UNKNOWN')
    const other = await site.createEnterprise()
    await site.db.updateTable('enterprises').set({ state: 'locked' }).where('id', '=', other.eid).execute()
    expect((await askRefusal({ eid: other.eid })).code).toBe('ENTERPRISE_UNKNOWN')
    expect((await askRefusal({})).http).toBe(400)
    expect((await askRefusal({ eid: other.eid, userId: ben.userId })).http).toBe(400)
  })

  test('to an enterprise is answered by the managers of its devices, and its name is shown after it accepts', async () => {
    const other = await site.createEnterprise()
    await site.db
      .updateTable('enterprises')
      .set({ name: 'Smith & Sons' })
      .where('id', '=', other.eid)
      .execute()
    const manager = await site.createMember(other.eid, 'member', ['manage'])
    const viewer = await site.createMember(other.eid, 'member', ['view'])
    const id = await ask({ eid: other.eid })
    expect(await shown()).toMatchObject({ to: `#${other.eid}`, toUserId: null, toEid: other.eid })
    expect(await received(viewer)).toEqual([])
    expect(await textsOf(viewer, 'inbox')).toEqual([])
    expect(await answerRefusal(viewer, id)).toBe('HANDOVER_GONE')
    expect(await received(manager)).toMatchObject([{ id, toEid: other.eid, devices: 2 }])
    expect((await textsOf(manager, 'inbox'))[0]).toMatchObject({ mayAnswer: true })
    await answer(manager, id, 'refuse')
    const over = { mayAnswer: false, read: true, outcome: 'refused' }
    expect((await textsOf(manager, 'inbox'))[0]).toMatchObject(over)
    expect(JSON.stringify(await textsOf(owner, 'sent'))).not.toContain('Smith & Sons')
    await answer(other.owner, await ask({ eid: other.eid }))
    expect(await shown()).toMatchObject({ to: 'Smith & Sons', state: 'accepted' })
    expect((await textsOf(owner, 'sent'))[0]?.body).toContain('Smith & Sons accepted')
  })

  test('can be withdrawn, and a receiver who had accepted is notified', async () => {
    const id = await ask({ account: ben.email })
    await site.as(owner).call(contract.withdrawHandover, { eid })
    expect(await answerRefusal(ben, id)).toBe('HANDOVER_GONE')
    expect(await textsOf(ben, 'device')).toEqual([])
    await answer(ben, await ask({ account: ben.email }))
    await site.as(owner).call(contract.withdrawHandover, { eid })
    expect(await textsOf(ben, 'device')).toMatchObject([{ title: 'Hand-over of devices cancelled' }])
    expect(await site.refusalOf(owner, contract.withdrawHandover, { eid })).toBe('HANDOVER_GONE')
  })

  test('ends after 14 days, answered or not, and both sides are notified', async () => {
    const mailbox = createMailbox(site.db)
    const end = (now: number) => expireHandovers({ db: site.db, mailbox }, now)
    await answer(ben, await ask({ account: ben.email }))
    await end(clock() + timing.handoverMs - 60_000)
    expect(await shown()).toMatchObject({ state: 'accepted' })
    await end(clock() + timing.handoverMs + 60_000)
    expect(await shown()).toBeNull()
    expect((await textsOf(owner, 'sent'))[0]?.body).toContain('Ben can no longer accept them')
    expect(await textsOf(ben, 'device')).toMatchObject([{ title: 'Hand-over of devices cancelled' }])
  })

  test('cannot be accepted by a receiver whose list has no room for all devices', async () => {
    await fillList(ben.userId, limits.machinesPerList - 1)
    const id = await ask({ account: ben.email })
    expect(await answerRefusal(ben, id)).toBe('04010115')
    await sql`delete from machine_list_entries where (user_id, machine_id) in (
      select user_id, machine_id from machine_list_entries where user_id = ${ben.userId} limit 1)`.execute(
      site.db,
    )
    await answer(ben, id)
  })
})

describe('a deletion with a receiver', () => {
  test('is refused without an acceptance, and does not use the code up', async () => {
    const code = await codeOf(owner)
    const refusal = async (machinesTo: Named) =>
      await site.refusalOf(owner, contract.deleteEnterprise, { eid, code, ...machinesTo })
    expect(await refusal({ machinesToUserId: ben.userId })).toBe('HANDOVER_NOT_ACCEPTED')
    const id = await ask({ account: ben.email })
    expect(await refusal({ machinesToUserId: ben.userId })).toBe('HANDOVER_NOT_ACCEPTED')
    await answer(ben, id)
    // An enterprise with the same number is another receiver.
    expect(await refusal({ machinesToEid: ben.userId })).toBe('HANDOVER_NOT_ACCEPTED')
    const both = { eid, code, machinesToUserId: ben.userId, machinesToEid: eid }
    expect((await failureOf(site.as(owner), contract.deleteEnterprise, both)).http).toBe(400)
    await site.as(owner).call(contract.deleteEnterprise, { eid, code, machinesToUserId: ben.userId })
    expect((await readOutbox(site.db, owner.email)).text).toContain('Ben')
  })

  test('gives the person who accepted all devices, in their list, at the erasure and not before', async () => {
    await answer(ben, await ask({ account: ben.email }))
    await leave({ machinesToUserId: ben.userId })
    expect(await ownersOf()).toEqual(ownedBy({ eid }))
    await erase()
    expect(await ownersOf()).toEqual(ownedBy({ userId: ben.userId }))
    const listed = JSON.stringify(await site.as(ben).call(machines.listMachines, {}))
    for (const machineId of devices) expect(listed).toContain(`"machine_id":${machineId},`)
    expect((await textsOf(ben, 'device'))[0]?.body).toContain('2 of its devices')
    // The message that asked outlives the enterprise, and nothing is left to answer.
    expect((await textsOf(ben, 'inbox'))[0]).toMatchObject({ handoverId: null, mayAnswer: false })
  })

  test('gives the enterprise that accepted devices of their former names, numbered where taken', async () => {
    const other = await site.createEnterprise()
    await site.createEnterpriseMachine(other.eid, { name: 'PRESS' })
    await answer(other.owner, await ask({ eid: other.eid }))
    await leave({ machinesToEid: other.eid })
    await erase()
    expect(await ownersOf()).toEqual(ownedBy({ eid: other.eid }))
    const names = await site.db
      .selectFrom('enterprise_machines')
      .select('name')
      .where('enterprise_id', '=', other.eid)
      .orderBy('id')
      .execute()
    expect(names.map(({ name }) => name)).toEqual(['PRESS', 'Press (2)', 'Oven'])
  })

  test('ends the former enterprise’s grants and data of a device, and begins a new time of ownership', async () => {
    const holder = await site.createUser()
    const machineId = devices[0] ?? 0
    await site.grantMachine(holder.userId, machineId, { role: 'visitor' })
    await answer(ben, await ask({ account: ben.email }))
    await leave({ machinesToUserId: ben.userId })
    await erase()
    const grants = await site.db
      .selectFrom('machine_grants')
      .select('id')
      .where('machine_id', '=', machineId)
      .execute()
    expect(grants).toEqual([])
    const rows = await site.db
      .selectFrom('enterprise_machines')
      .select('id')
      .where('machine_id', 'in', devices)
      .execute()
    expect(rows).toEqual([])
    const { owned_since } = await site.db
      .selectFrom('machines')
      .select('owned_since')
      .where('id', '=', machineId)
      .executeTakeFirstOrThrow()
    expect(owned_since).not.toBeNull()
  })

  test('loses no device when the receiver’s list is full: the list exceeds its limit by them', async () => {
    await answer(ben, await ask({ account: ben.email }))
    await fillList(ben.userId, limits.machinesPerList)
    await leave({ machinesToUserId: ben.userId })
    await erase()
    expect(await ownersOf()).toEqual(ownedBy({ userId: ben.userId }))
  })

  test('makes the devices unowned where the receiver leaves meanwhile', async () => {
    await answer(ben, await ask({ account: ben.email }))
    await leave({ machinesToUserId: ben.userId })
    await site.db
      .updateTable('users')
      .set({ state: 'leaving', leaves_at: new Date(Date.now() + 3_600_000) })
      .where('id', '=', ben.userId)
      .execute()
    await erase()
    expect(await ownersOf()).toEqual(ownedBy({}))
  })

  test('makes the devices unowned where the receiving enterprise is locked meanwhile', async () => {
    const other = await site.createEnterprise()
    await answer(other.owner, await ask({ eid: other.eid }))
    await leave({ machinesToEid: other.eid })
    await site.db.updateTable('enterprises').set({ state: 'locked' }).where('id', '=', other.eid).execute()
    await erase()
    expect(await ownersOf()).toEqual(ownedBy({}))
  })

  test('makes the devices unowned when it names no receiver, and one who accepted is notified', async () => {
    await answer(ben, await ask({ account: ben.email }))
    await leave()
    expect(await textsOf(ben, 'device')).toMatchObject([{ title: 'Hand-over of devices cancelled' }])
    await erase()
    expect(await ownersOf()).toEqual(ownedBy({}))
  })

  test('of a cancelled deletion keeps the devices, and ends the request', async () => {
    await answer(ben, await ask({ account: ben.email }))
    await leave({ machinesToUserId: ben.userId })
    await site.as(owner).call(contract.keepEnterprise, { eid })
    expect(await shown()).toBeNull()
    expect(await textsOf(ben, 'device')).toMatchObject([{ title: 'Hand-over of devices cancelled' }])
    expect(await eraseRound()).toEqual([])
    expect(await ownersOf()).toEqual(ownedBy({ eid }))
  })

  test('cut in the middle and repeated, by two processes at once, gives every device once', async () => {
    await answer(ben, await ask({ account: ben.email }))
    await leave({ machinesToUserId: ben.userId })
    await makeDue()
    const second = devices[1] ?? 0
    await sql`
      create function refuse_second() returns trigger language plpgsql as $$
        begin raise exception 'cut'; end $$`.execute(site.db)
    try {
      await sql`
        create trigger refuse_second before update of owner_user_id on machines for each row
        when (new.id = ${sql.lit(second)}) execute function refuse_second()`.execute(site.db)
      expect(await eraseRound()).toHaveLength(1)
    } finally {
      await sql`drop function refuse_second cascade`.execute(site.db)
    }
    expect(await ownersOf()).toEqual([
      { userId: ben.userId, eid: null },
      { userId: null, eid },
    ])
    expect(await Promise.all([eraseRound(), eraseRound()])).toEqual([[], []])
    expect(await eraseRound()).toEqual([])
    expect(await ownersOf()).toEqual(ownedBy({ userId: ben.userId }))
    const done = (await textsOf(ben, 'device')).filter(({ title }) => title === 'Devices handed over')
    expect(done).toHaveLength(1)
    expect(done[0]?.body).toContain('2 of its devices')
    const entries = await site.db
      .selectFrom('audit_entries')
      .select('id')
      .where('action', '=', 'machine.transferred')
      .where(sql<boolean>`(detail::jsonb->>'eid')::bigint = ${eid}`)
      .execute()
    expect(entries).toHaveLength(2)
  })
})
