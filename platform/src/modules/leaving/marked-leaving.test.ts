import { access, enterprises, operator } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, expect, test } from 'vitest'

const site = useSite()
let boss: TestUser
beforeAll(async () => {
  boss = await site.createUser()
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
})

const until = () => new Date(Date.now() + 60_000)
const setLeaving = ({ userId }: TestUser, state: 'leaving' | 'locked' = 'leaving') =>
  site.db.updateTable('users').set({ state, leaves_at: until() }).where('id', '=', userId).execute()

test('a Bkey and a visitor who requested their deletion are not listed with their rights', async () => {
  const akey = await site.createUser()
  const { machineId } = await site.createMachine({ owner: akey.userId })
  for (const role of ['bkey', 'visitor'] as const) {
    const stays = await site.createUser()
    const leaves = await site.createUser()
    for (const user of [stays, leaves]) await site.grantMachine(user.userId, machineId, { role })
    await setLeaving(leaves)
    const infoType = access.infoTypes[role === 'bkey' ? 'bkeys' : 'visitors']
    const { list } = await site.as(akey).call(access.listGrants, { machineID: machineId, infoType })
    expect(list).toMatchObject([
      { userId: stays.userId, leaving: false },
      { userId: leaves.userId, leaving: true },
    ])
  }
  const reach = await site.as(akey).call(access.listReach, { id: machineId })
  expect(reach.map(({ userId }) => userId)).toHaveLength(3)
})

test('a member who requested their deletion is marked, also while an operator keeps them locked', async () => {
  const { eid, owner } = await site.createEnterprise()
  const leaves = await site.createMember(eid)
  for (const state of ['leaving', 'locked'] as const) {
    await setLeaving(leaves, state)
    const { list } = await site.as(owner).call(enterprises.listMembers, { eid })
    expect(list).toMatchObject([
      { userId: owner.userId, leaving: false },
      { userId: leaves.userId, leaving: true },
    ])
  }
})

test('an operator sees the people and enterprises that are leaving, not as active', async () => {
  const { eid, owner } = await site.createEnterprise('Foundry that leaves')
  const stateOf = async () => {
    const { list } = await site.as(boss).call(operator.listUsers, { search: owner.email })
    return list.map(({ state }) => state)
  }
  expect(await stateOf()).toEqual(['active'])
  await setLeaving(owner)
  expect(await stateOf()).toEqual(['leaving'])
  await setLeaving(owner, 'locked')
  expect(await stateOf()).toEqual(['locked'])
  await site.db
    .updateTable('enterprises')
    .set({ state: 'leaving', leaves_at: until() })
    .where('id', '=', eid)
    .execute()
  const spaces = await site.as(boss).call(operator.listEnterprises, { search: 'Foundry that leaves' })
  expect(spaces.list.map(({ state }) => state)).toEqual(['leaving'])
})
