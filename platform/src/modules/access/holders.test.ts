import { access, accounts, applications, limits, machines, visits } from '@busbar/contract'
import { failureOf, PushClient, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { FreshCounters } from '../../../test-support/http/fresh-counters.ts'

const counters = new FreshCounters()
const site = useSite({}, { rateCounters: counters })

const minuteMs = 60_000

async function createOwned(name?: string) {
  const akey = await site.createUser()
  const machine = await site.createMachine({ owner: akey.userId, ...(name ? { name } : {}) })
  return { akey, ...machine }
}

const findGrants = (machineId: number) =>
  site.db
    .selectFrom('machine_grants')
    .select(['id', 'user_id', 'role', 'until', 'read_only'])
    .where('machine_id', '=', machineId)
    .execute()

const findReasons = async (machineId: number) => {
  const changes = site.db.selectFrom('right_changes').select(['user_id', 'reason'])
  return changes.where('machine_id', '=', machineId).orderBy('id').execute()
}

describe('admitting a visitor', () => {
  test('puts the machine under its shared name into an open list, without a reload', async () => {
    const [{ akey, machineId }, guest] = [await createOwned('注塑机 7'), await site.createUser()]
    const page = await PushClient.open(site.url, guest.token)
    await site.as(akey).call(access.addVisitor, { machineID: machineId, account: guest.email, validTime: -1 })
    const state = await page.find((event) => (event.scene === 'machineState' ? event.state : undefined))
    expect([state.machineId, state.limitAuthority]).toEqual([String(machineId), 1])
    const answer = await site.as(guest).call(machines.listMachines, {})
    expect('list' in answer && answer.list[0]).toMatchObject({
      machine_name: '注塑机 7',
      limit_authority: 1,
    })
    page.close()
  })

  test('finds the account as a sign-in does', async () => {
    const { akey, machineId } = await createOwned()
    const guest = await site.createUser({ phone: '13912340001' })
    const added = await site
      .as(akey)
      .call(access.addVisitor, { machineID: machineId, account: '+86 139 1234 0001', validTime: 60 })
    expect(added.userid).toBe(guest.userId)
    expect(added.visitTime).toBeGreaterThan(Date.now() + 59 * minuteMs)
  })

  test('a visitor is admitted read-only by default; a time that is over begins anew', async () => {
    const [{ akey, machineId }, guest] = [await createOwned(), await site.createUser()]
    const until = new Date(Date.now() - 1)
    const grantId = await site.grantMachine(guest.userId, machineId, { role: 'visitor', until })
    const input = { machineID: machineId, account: guest.email, validTime: 60 } as const
    const again = await site.as(akey).call(access.addVisitor, input)
    expect(again.visitTimeId).toBe(grantId)
    expect(await findGrants(machineId)).toMatchObject([{ id: grantId, read_only: true }])
    expect(await site.refusalOf(akey, access.addVisitor, input)).toBe('01010305')
    const addOwner = { ...input, account: akey.email }
    expect(await site.refusalOf(akey, access.addVisitor, addOwner)).toBe('01010305')
    expect(await findReasons(machineId)).toEqual([{ user_id: guest.userId, reason: 'granted' }])
  })

  test('refuses accounts that are unknown, locked, blacklisted or hold a key already', async () => {
    const { akey, machineId } = await createOwned()
    const [locked, black, bkey] = [await site.createUser(), await site.createUser(), await site.createUser()]
    await site.db.updateTable('users').set({ state: 'locked' }).where('id', '=', locked.userId).execute()
    await site.blacklistUser(black.userId, machineId)
    await site.grantMachine(bkey.userId, machineId, { role: 'bkey' })
    const codeOf = async (account: string) =>
      await site.refusalOf(akey, access.addBkey, { machineID: machineId, account })
    expect(await codeOf('nobody@example.test')).toBe('01010304')
    expect(await codeOf(locked.email)).toBe('01010304')
    expect(await codeOf(black.email)).toBe('PERSON_BLACKLISTED')
    expect(await codeOf(bkey.email)).toBe('01010305')
  })

  test('is refused, and grants nothing, when that person’s list is full', async () => {
    const [{ akey, machineId }, guest] = [await createOwned(), await site.createUser()]
    await sql`
      with many as (
        insert into machines (code, type, name, secret_hash)
        select lpad((7000000 + n)::text, 19, '7'), 'machine', 'Machine', decode(repeat('00', 32), 'hex')
        from generate_series(1, ${limits.machinesPerList}::int) n returning id)
      insert into machine_list_entries (user_id, machine_id, name)
      select ${guest.userId}, id, 'Machine' from many`.execute(site.db)
    const input = { machineID: machineId, account: guest.email }
    expect(await site.refusalOf(akey, access.addBkey, input)).toBe('01010307')
    expect(await findGrants(machineId)).toEqual([])
  })

  test('does not show who has an account more than ten times a minute', async () => {
    const { akey, machineId } = await createOwned()
    counters.begin()
    const codes: string[] = []
    for (let i = 0; i < 11; i++) {
      const input = { machineID: machineId, account: `guess${i}@example.test`, validTime: 60 }
      codes.push(await site.refusalOf(akey, access.addVisitor, input))
    }
    expect(codes).toEqual([...Array(10).fill('01010304'), '429'])
  })
})

test('a key learns that the person is on the blacklist, not that the key itself is', async () => {
  const { akey, machineId } = await createOwned()
  const black = await site.createUser()
  await site.blacklistUser(black.userId, machineId)
  await site.proveSession(akey.sessionId)
  const request = { machineID: machineId, account: black.email, validTime: -1 } as const
  for (const route of [access.addBkey, access.addVisitor, machines.offerMachine] as const) {
    const { code, message } = await failureOf(site.as(akey, 'en'), route, request)
    expect([route.path, code]).toEqual([route.path, 'PERSON_BLACKLISTED'])
    expect(message).toBe('This person is on the device’s blacklist. Remove them from the blacklist first.')
  }
})

describe('the e-mail of a Bkey', () => {
  const emailOf = async (reader: TestUser, machineId: number) => {
    const { list } = await site.as(reader).call(access.listGrants, { machineID: machineId, infoType: 2 })
    return list[0]
  }

  test('is shown in full to a key that is a friend in either direction, with a masked phone', async () => {
    for (const isReader of [true, false]) {
      const { akey, machineId } = await createOwned()
      const bkey = await site.createHolder(
        machineId,
        { role: 'bkey' },
        { phone: isReader ? '13900001816' : '13900011816' },
      )
      const [adding, added] = isReader ? [akey, bkey] : [bkey, akey]
      await site.as(adding).call(accounts.addFriend, { account: added.email })
      expect(await emailOf(akey, machineId)).toMatchObject({ email: bkey.email, phone: '139****1816' })
    }
  })

  test('is shown in full to every key if they applied for theirs', async () => {
    const { akey, machineId } = await createOwned()
    const bkey = await site.createUser()
    await site.listMachine(bkey.userId, machineId)
    const asked = { machineID: machineId, terminalID: 'terminal' }
    const { applyId } = await site.as(bkey).call(applications.applyForBind, asked)
    await site.as(akey).call(applications.verifyBind, { applyId: applyId ?? 0, pass: true })
    expect(await emailOf(akey, machineId)).toMatchObject({ email: bkey.email })
  })

  test('of an enterprise’s member is shown in full to its owner, and to no other member', async () => {
    const { eid, owner } = await site.createEnterprise()
    const bkey = await site.createMember(eid, 'member')
    const manager = await site.createMember(eid, 'member', ['manage'])
    const { machineId } = await site.createEnterpriseMachine(eid)
    await site.grantMachine(bkey.userId, machineId, { role: 'bkey' })
    await site.grantMachine(manager.userId, machineId, { role: 'bkey' })
    const emails = async (reader: TestUser) => {
      const { list } = await site.as(reader).call(access.listGrants, { machineID: machineId, infoType: 2 })
      return list.map(({ email }) => email)
    }
    expect(await emails(owner)).toContain(bkey.email)
    expect(await emails(manager)).not.toContain(bkey.email)
  })

  test('stays masked where a stranger who met them on a machine makes them Bkey of another by their id', async () => {
    const [stranger, victim] = [await site.createUser(), await site.createUser()]
    const shared = await createOwned()
    for (const { userId } of [stranger, victim])
      await site.grantMachine(userId, shared.machineId, { role: 'visitor' })
    const { machineId } = await site.createMachine({ owner: stranger.userId })
    await site.as(stranger).call(access.addBkey, { machineID: machineId, userId: victim.userId })
    const shown = await emailOf(stranger, machineId)
    expect(shown).toMatchObject({ userId: victim.userId })
    expect(shown?.email).toContain('***@')
  })
})

describe('a visit time', () => {
  test('set by hand ends at least ten minutes ahead', async () => {
    const [{ akey, machineId }, guest] = [await createOwned(), await site.createUser()]
    const id = await site.grantMachine(guest.userId, machineId, { role: 'visitor' })
    const set = (visitTime: number) => ({ visitTimeId: id, visitTime })
    const early = await failureOf(site.as(akey), access.setVisitTime, set(Date.now() + 9 * minuteMs))
    expect([early.http, early.field]).toEqual([400, 'visitTime'])
    const visitTime = Date.now() + 11 * minuteMs
    await site.as(akey).call(access.setVisitTime, set(visitTime))
    const answer = await site.as(akey).call(access.listGrants, { machineID: machineId, infoType: 3 })
    expect(answer.list).toMatchObject([{ visitTimeId: id, visitTime, mode: 'rw', limitRead: 0 }])
  })

  test('ends once, and only under its own machine', async () => {
    const [{ akey, machineId }, guest] = [await createOwned(), await site.createUser()]
    const other = await site.createMachine({ owner: akey.userId })
    const id = await site.grantMachine(guest.userId, machineId, { role: 'visitor' })
    const end = (machineID: number) => ({ visitAlidTimeID: id, machineID })
    expect(await site.refusalOf(akey, access.endVisitTime, end(other.machineId))).toBe('403')
    await site.as(akey).call(access.endVisitTime, end(machineId))
    expect(await site.refusalOf(akey, access.endVisitTime, end(machineId))).toBe('01010408')
    const role = await site.as(guest).call(access.getRole, { deviceId: machineId })
    expect(role).toMatchObject({ role: 'ordinary', limit_authority: 0, visitTime: 0 })
  })

  test('that is cleared is over and stays, once or twice; removing the visitor is a separate act', async () => {
    const [{ akey, machineId }, guest] = [await createOwned(), await site.createUser()]
    const id = await site.grantMachine(guest.userId, machineId, { role: 'visitor' })
    const enter = { machineID: machineId, terminalID: 'terminal-of-a-test' }
    const denialReason = async () => await site.refusalOf(guest, visits.checkVisit, enter)
    for (let times = 0; times < 2; times++) {
      await site.as(akey).call(access.clearVisitTime, { visitTimeId: id })
      const { list } = await site.as(akey).call(access.listGrants, { machineID: machineId, infoType: 3 })
      expect(list).toMatchObject([{ visitTimeId: id, visitTime: 0 }])
      expect(await denialReason()).toBe('REST_TIME_OUT')
    }
    await site.as(akey).call(access.removeVisitor, { visitTimeId: id })
    expect(await denialReason()).toBe('GENERAL_USER')
  })
})

describe('a Bkey', () => {
  test('promoted from visitor keeps the two bits and has no visit time', async () => {
    const [{ akey, machineId }, guest] = [await createOwned(), await site.createUser()]
    const until = new Date(Date.now() + minuteMs)
    const id = await site.grantMachine(guest.userId, machineId, {
      role: 'visitor',
      until,
      readOnly: true,
    })
    await site.as(akey).call(access.updateLevel, { id, limit: 2 })
    expect(await findGrants(machineId)).toMatchObject([{ id, role: 'bkey', until: null, read_only: true }])
    await site.as(akey).call(access.updateLevel, { id, limit: 0 })
    expect(await findGrants(machineId)).toEqual([])
    expect((await findReasons(machineId)).map(({ reason }) => reason)).toEqual(['bkey', 'lowered'])
    const answer = await site.as(guest).call(machines.listMachines, {})
    expect('list' in answer && answer.list[0]).toMatchObject({ limit_authority: 0 })
  })

  test('mutes their own alarms, but does not lift their own read-only bit', async () => {
    const [{ machineId }, bkey] = [await createOwned(), await site.createUser()]
    await site.grantMachine(bkey.userId, machineId, { role: 'bkey', readOnly: true })
    const self = { machineID: machineId, userID: bkey.userId }
    await site.as(bkey).call(access.setAlarmBit, { ...self, limitAlarm: 0 })
    const lift = await failureOf(site.as(bkey), access.setReadOnly, { ...self, limitRead: 0 })
    expect(lift.code).toBe('01010306')
    expect(await site.as(bkey).call(access.getRole, { deviceId: machineId })).toEqual({
      role: 'bkey',
      limit_authority: 2,
      readOnly: true,
      alarm: false,
      visitTime: -1,
    })
  })
})

test('the blacklist ends a right permanently: off it again, the visitor is an ordinary user', async () => {
  const [{ akey, machineId }, guest] = [await createOwned(), await site.createUser()]
  await site.grantMachine(guest.userId, machineId, { role: 'visitor' })
  const entry = { deviceId: machineId, userId: guest.userId }
  await site.as(akey).call(access.addToBlacklist, entry)
  await site.as(akey).call(access.addToBlacklist, entry)
  expect((await site.as(guest).call(access.getRole, { deviceId: machineId })).role).toBe('blacklisted')
  await site.as(akey).call(access.removeFromBlacklist, entry)
  expect((await site.as(guest).call(access.getRole, { deviceId: machineId })).role).toBe('ordinary')
  expect(await site.refusalOf(akey, access.removeFromBlacklist, entry)).toBe('404')
  expect((await findReasons(machineId)).map(({ reason }) => reason)).toEqual(['blacklisted', 'unblacklisted'])
})
