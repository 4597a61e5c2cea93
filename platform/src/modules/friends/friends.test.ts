import { accounts, type RequestOf } from '@busbar/contract'
import { type createUser, failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { maskEmail, maskPhone } from '../../kernel/mask-account.ts'

const site = useSite()

test('a person is added by exact account only, shown masked, and removed', async () => {
  const [user, friend] = [await site.createUser(), await site.createUser({ name: 'Hua Wang' })]
  const add = (account: string, remark?: string) =>
    site.as(user).call(accounts.addFriend, { account, ...(remark ? { remark } : {}) })
  expect(await add(friend.email.toUpperCase())).toEqual({ userid: friend.userId })
  await add(friend.email, 'night')
  const list = await site.as(user).call(accounts.listFriends, {})
  expect(list).toEqual([
    expect.objectContaining({ userid: friend.userId, name: 'Hua Wang', remark: 'night', added: true }),
  ])
  expect(list[0]?.accountMasked).toBe('p***@example.test')
  // Adding a person does not add the caller to that person's friends.
  expect(await site.as(friend).call(accounts.listFriends, {})).toEqual([])
  const refuse = (account: string) => failureOf(site.as(user), accounts.addFriend, { account })
  expect((await refuse(friend.email.slice(1))).code).toBe('01010304')
  expect((await refuse(user.email)).code).toBe('FRIEND_SELF')
  await site.as(user).call(accounts.removeFriend, { id: friend.userId })
  const gone = await failureOf(site.as(user), accounts.removeFriend, { id: friend.userId })
  const missing = await failureOf(site.as(user), accounts.removeFriend, { id: 999_999 })
  expect([gone.code, missing.code]).toEqual(['404', '404'])
})

test('people who hold keys of one machine are friends; a list entry shows nobody’s name', async () => {
  const [owner, bkey, over, stranger] = await Promise.all(
    ['Owner', 'Bkey', 'Over', 'Stranger'].map((name) => site.createUser({ name })),
  )
  if (!owner || !bkey || !over || !stranger) throw new Error('four people were made')
  const machine = await site.createMachine({ owner: owner.userId })
  await site.grantMachine(bkey.userId, machine.machineId, { role: 'bkey' })
  const until = new Date(Date.now() - 1)
  await site.grantMachine(over.userId, machine.machineId, { role: 'visitor', until })
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

/** A person with these friends, each with a remark. */
async function createFriends(friends: readonly { user: TestUser; remark?: string; at?: number }[]) {
  const user = await site.createUser()
  await site.db
    .insertInto('friends')
    .values(
      friends.map((friend) => ({
        user_id: user.userId,
        friend_id: friend.user.userId,
        remark: friend.remark ?? '',
        created_at: new Date(friend.at ?? 0),
      })),
    )
    .execute()
  const list = (request: RequestOf<typeof accounts.listFriends>) =>
    site.as(user).call(accounts.listFriends, request)
  const namesOf = async (request: RequestOf<typeof accounts.listFriends>) =>
    (await list(request)).map(({ name }) => name)
  return { user, list, namesOf }
}

test('the list shows accounts masked as every other list does', async () => {
  const of = (overrides: Parameters<typeof createUser>[1]) => site.createUser(overrides)
  const phones = ['13812345678', '1234567', '12345', '98765432109876']
  const emails = ['a@example.test', 'ab.cd+ef@sub.example.test', '%_@example.test']
  const people = [
    ...(await Promise.all(phones.map((phone) => of({ phone })))),
    ...(await Promise.all(emails.map((email) => of({ email })))),
  ]
  const { list } = await createFriends(people.map((user) => ({ user })))
  const shown = (await list({})).map(({ accountMasked }) => accountMasked)
  expect(shown.sort()).toEqual([...phones.map(maskPhone), ...emails.map(maskEmail)].sort())
})

test('a search finds name, remark and masked account, and never the masked characters', async () => {
  const { namesOf } = await createFriends([
    { user: await site.createUser({ name: '王小明', phone: '13912345671' }), remark: 'Hall_3' },
    {
      user: await site.createUser({ name: 'Ada Night', email: 'ada.secret@plant.test' }),
      remark: '100%',
    },
  ])
  const found = async (search: string) => (await namesOf({ search })).join()
  expect([await found('小'), await found('ada'), await found(' NIGHT ')]).toEqual([
    '王小明',
    'Ada Night',
    'Ada Night',
  ])
  expect([await found('hall_'), await found('0%'), await found('l%3')]).toEqual(['王小明', 'Ada Night', ''])
  expect([await found('139'), await found('5671'), await found('plant.test')]).toEqual([
    '王小明',
    '王小明',
    'Ada Night',
  ])
  expect([await found('13912345671'), await found('1234'), await found('secret')]).toEqual(['', '', ''])
})

test('thousands of friends come page by page, in each order', async () => {
  const owner = await site.createUser()
  const added = await site.createUser({ name: '000 Added' })
  await site.as(owner).call(accounts.addFriend, { account: added.email })
  const machine = await site.createMachine({ owner: owner.userId })
  const second = await site.createMachine({ owner: owner.userId })
  await sql`
    with people as (
      insert into users (name, email, lang, password_hash)
      select 'Many ' || lpad(n::text, 4, '0'), 'many' || n || '@thousands.test', 'cn', 'none'
      from generate_series(1, 3000) n returning id
    ) insert into machine_grants (machine_id, user_id, role) select ${machine.machineId}::bigint, id, 'visitor' from people`.execute(
    site.db,
  )
  const list = (request: RequestOf<typeof accounts.listFriends>) =>
    site.as(owner).call(accounts.listFriends, request)
  const pages = [1, 2, 3, 4].map((page) => list({ page, pageSize: 1000 }))
  const ids = (await Promise.all(pages)).map((people) => people.map(({ userid }) => userid))
  expect(ids.map(({ length }) => length)).toEqual([1000, 1000, 1000, 1])
  expect(new Set(ids.flat()).size).toBe(3001)
  const [most] = await list({ search: 'Many 2718' })
  await site.grantMachine(most?.userid ?? 0, second.machineId, { role: 'bkey' })
  const firstOf = async (order: accounts.FriendOrder) => (await list({ order, pageSize: 1 }))[0]?.name
  expect([await firstOf('added'), await firstOf('name'), await firstOf('machines')]).toEqual([
    '000 Added',
    '000 Added',
    'Many 2718',
  ])
  const newest = await createFriends([
    { user: await site.createUser({ name: 'Old' }), at: 1 },
    { user: await site.createUser({ name: 'New' }), at: 2 },
  ])
  expect(await newest.namesOf({ order: 'since' })).toEqual(['New', 'Old'])
})
