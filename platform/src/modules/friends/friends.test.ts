import { accounts } from '@busbar/contract'
import {
  createMachine,
  createUser,
  failureOf,
  grantMachine,
  startTestPlatform,
  type TestPlatform,
} from '@busbar/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let site: TestPlatform
beforeAll(async () => {
  site = await startTestPlatform()
})
afterAll(() => site.stop())

test('a person is added by exact account only, shown masked, and removed', async () => {
  const [user, friend] = [await createUser(site.db), await createUser(site.db, { name: 'Hua Wang' })]
  const add = (account: string, remark?: string) =>
    site.as(user).call(accounts.addFriend, { account, ...(remark ? { remark } : {}) })
  expect(await add(friend.email.toUpperCase())).toEqual({ userid: friend.userId })
  await add(friend.email, 'night')
  const list = await site.as(user).call(accounts.listFriends, {})
  expect(list).toEqual([
    expect.objectContaining({ userid: friend.userId, name: 'Hua Wang', remark: 'night', added: true }),
  ])
  expect(list[0]?.accountMasked).toBe('p***@example.test')
  // Knowing somebody does not make one known to them.
  expect(await site.as(friend).call(accounts.listFriends, {})).toEqual([])
  const refuse = (account: string) => failureOf(site.as(user), accounts.addFriend, { account })
  expect((await refuse(friend.email.slice(1))).code).toBe('01010304')
  expect((await refuse(user.email)).code).toBe('FRIEND_SELF')
  await site.as(user).call(accounts.removeFriend, { id: friend.userId })
  const gone = await failureOf(site.as(user), accounts.removeFriend, { id: friend.userId })
  const missing = await failureOf(site.as(user), accounts.removeFriend, { id: 999_999 })
  expect([gone.code, missing.code]).toEqual(['404', '404'])
})

test('people who hold keys of one machine know each other; a list entry tells nobody’s name', async () => {
  const [owner, bkey, over, stranger] = await Promise.all(
    ['Owner', 'Bkey', 'Over', 'Stranger'].map((name) => createUser(site.db, { name })),
  )
  if (!owner || !bkey || !over || !stranger) throw new Error('four people were made')
  const machine = await createMachine(site.db, { owner: owner.userId })
  await grantMachine(site.db, bkey.userId, machine.machineId, { role: 'bkey' })
  const until = new Date(Date.now() - 1)
  await grantMachine(site.db, over.userId, machine.machineId, { role: 'visitor', until })
  await site.db
    .insertInto('machine_list_entries')
    .values({ user_id: stranger.userId, machine_id: machine.machineId, name: 'seen' })
    .execute()
  const namesOf = async (user: { token: string }) =>
    (await site.as(user).call(accounts.listFriends, {})).map((each) => [each.name, each.sharedMachines])
  expect(await namesOf(owner)).toEqual([['Bkey', 1]])
  expect(await namesOf(bkey)).toEqual([['Owner', 1]])
  expect(await namesOf(over)).toEqual([])
  expect(await namesOf(stranger)).toEqual([])
})
