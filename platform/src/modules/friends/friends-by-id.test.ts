import { type ApiError, access, accounts, applications, enterprises, machines } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'

/**
 * Calls that reveal whether an account exists are limited by the minute, and by the address that all these tests share.
 */
const minuteMs = 61_000
const clock = { now: Date.now() }
const site = useSite({}, { now: () => clock.now })

type Named = { account: string } | { userId: number } | { account: string; userId: number } | object

/** A person who owns a machine and an enterprise, and their four calls that name a person. */
async function createSetup() {
  clock.now += minuteMs
  const { eid, owner: giver } = await site.createEnterprise()
  const { machineId } = await site.createMachine({ owner: giver.userId })
  await site.proveSession(giver.sessionId, new Date(clock.now))
  const calls = [
    { route: access.addBkey, fields: { machineID: machineId } },
    { route: access.addVisitor, fields: { machineID: machineId, validTime: -1 } },
    { route: machines.offerMachine, fields: { machineID: machineId } },
    { route: enterprises.inviteMember, fields: { eid } },
  ].map(({ route, fields }) => ({
    path: route.path,
    call: (named: Named) => site.as(giver).call(route, { ...fields, ...named } as never),
    refuse: (named: Named) => failureOf(site.as(giver), route, { ...fields, ...named } as never),
  }))
  return { giver, eid, machineId, calls }
}

const addFriend = (user: TestUser, friend: TestUser) =>
  site.as(user).call(accounts.addFriend, { account: friend.email })

/** All that a caller sees of a refusal. */
const seenOf = ({ code, http, message, field }: ApiError) => ({ code, http, message, field })

test('friends are not used: each call that names a person accepts a friend’s id', async () => {
  const { giver, calls, machineId, eid } = await createSetup()
  for (const { call } of calls) {
    const friend = await site.createUser()
    await addFriend(giver, friend)
    await call({ userId: friend.userId })
  }
  const rows = await site.db
    .selectFrom('machine_grants')
    .select('role')
    .where('machine_id', '=', machineId)
    .orderBy('id')
    .execute()
  const offers = await site.as(giver).call(machines.listTransfers, {})
  const invited = await site.as(giver).call(enterprises.listSentInvitations, { eid })
  expect([rows.map(({ role }) => role), offers.length, invited.length]).toEqual([['bkey', 'visitor'], 1, 1])
})

test('a Bkey proposes a friend by id, and the Akey makes them Bkey', async () => {
  const { giver, machineId } = await createSetup()
  const [bkey, friend] = [await site.createUser(), await site.createUser()]
  await site.grantMachine(bkey.userId, machineId, { role: 'bkey' })
  await addFriend(bkey, friend)
  const request = { machineID: machineId, userId: friend.userId }
  const { auditState, applyId } = await site.as(bkey).call(access.addBkey, request)
  expect(auditState).toBe(applications.auditStates.waitsForAkey)
  await site.as(giver).call(applications.verifyBind, { applyId: applyId ?? 0, pass: true })
  const own = await site.as(friend).call(access.getRole, { deviceId: machineId })
  expect(own.role).toBe('bkey')
})

describe('the id of a stranger is answered like an unknown account', () => {
  test('people who are not friends are answered like an unknown account', async () => {
    const { giver, calls, machineId } = await createSetup()
    const stranger = await site.createUser()
    // They added the caller; the caller did not add them.
    const admirer = await site.createUser()
    await addFriend(admirer, giver)
    // A list entry, and a visit that is over, share nothing.
    const onlooker = await site.createUser()
    await site.listMachine(onlooker.userId, machineId)
    const former = await site.createUser()
    const until = new Date(clock.now - 1)
    await site.grantMachine(former.userId, machineId, { role: 'visitor', until })
    // Otherwise BLACKLIST would reveal their id.
    const kept = await site.createUser()
    await site.blacklistUser(kept.userId, machineId)
    const ids = [stranger, admirer, onlooker, former, kept, giver].map(({ userId }) => userId)
    for (const { refuse, path } of calls) {
      clock.now += minuteMs
      const unknown = seenOf(await refuse({ account: 'unknown@example.test' }))
      expect(unknown.code, path).toBe('01010304')
      for (const userId of [...ids, 999_999_999])
        expect(seenOf(await refuse({ userId })), path).toEqual(unknown)
    }
  })

  test('asking by id is limited as asking by account is', async () => {
    const { calls } = await createSetup()
    for (const { refuse, path } of calls) {
      clock.now += minuteMs
      const codes: string[] = []
      for (let id = 1; id <= 11; id++) codes.push((await refuse({ userId: 900_000_000 + id })).code)
      expect([...new Set(codes)], path).toEqual(['01010304', '429'])
    }
  })

  test('a friend who may not sign in is answered like an unknown account', async () => {
    const { giver, calls } = await createSetup()
    const friend = await site.createUser()
    await addFriend(giver, friend)
    await site.db.updateTable('users').set({ state: 'locked' }).where('id', '=', friend.userId).execute()
    for (const { refuse, path } of calls)
      expect((await refuse({ userId: friend.userId })).code, path).toBe('01010304')
  })
})

test('a right that is lost ends the friendship at once', async () => {
  const { giver, machineId } = await createSetup()
  const other = await site.createUser()
  const id = await site.grantMachine(other.userId, machineId, {
    role: 'visitor',
    until: new Date(clock.now + minuteMs),
  })
  const space = await site.createEnterprise()
  const invite = { eid: space.eid, userId: other.userId }
  await site.db
    .insertInto('enterprise_members')
    .values({ enterprise_id: space.eid, user_id: giver.userId, role: 'admin', rights: [] })
    .execute()
  // By the machine that both share …
  await site.as(giver).call(enterprises.inviteMember, invite)
  const sent = await site.as(giver).call(enterprises.listSentInvitations, { eid: space.eid })
  await site.as(giver).call(enterprises.removeInvitation, { eid: space.eid, id: sent[0]?.id ?? 0 })
  await site.as(giver).call(access.endVisitTime, { visitAlidTimeID: id, machineID: machineId })
  // … and not a moment later.
  expect(await site.refusalOf(giver, enterprises.inviteMember, invite)).toBe('01010304')
  expect(await site.as(giver).call(accounts.listFriends, {})).toEqual([])
})

test('an administrator invites their own friends, not those of a colleague', async () => {
  const { giver, eid } = await createSetup()
  const [admin, friend] = [await site.createMember(eid, 'admin'), await site.createUser()]
  await addFriend(giver, friend)
  const request = { eid, userId: friend.userId }
  expect(await site.refusalOf(admin, enterprises.inviteMember, request)).toBe('01010304')
  await site.as(giver).call(enterprises.inviteMember, request)
})

test('a call names a person by account or by id: exactly one of both', async () => {
  const { calls } = await createSetup()
  for (const { refuse, path } of calls) {
    const neither = await refuse({})
    const both = await refuse({ account: 'somebody@example.test', userId: 7 })
    expect([neither.http, neither.field, both.http, both.field], path).toEqual([
      400,
      'account',
      400,
      'userId',
    ])
  }
})
