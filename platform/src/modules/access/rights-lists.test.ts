import { access, machines } from '@busbar/contract'
import { failureOf } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { FreshCounters } from '../../../test-support/http/fresh-counters.ts'

const counters = new FreshCounters()
const site = useSite({}, { rateCounters: counters })

async function createOwned() {
  const akey = await site.createUser({ name: 'Lin Zhao' })
  const { machineId, code } = await site.createMachine({ owner: akey.userId })
  return { akey, machineId, code }
}

describe('the lists of a machine', () => {
  test('show no complete account, and never the Akey', async () => {
    const { akey, machineId } = await createOwned()
    // A grant from before they owned it.
    await site.db
      .insertInto('machine_grants')
      .values({ user_id: akey.userId, machine_id: machineId, role: 'bkey' })
      .execute()
    const seen = { name: '王芳', email: `wang.fang-${machineId}@example.test` }
    const bkey = await site.createUser({ ...seen, phone: '13712345678' })
    const guest = await site.createUser()
    const black = await site.createUser()
    const bkeyGrant = await site.grantMachine(bkey.userId, machineId, { role: 'bkey' })
    await site.grantMachine(guest.userId, machineId, { role: 'visitor', readOnly: true })
    await site.blacklistUser(black.userId, machineId)
    const list = (infoType: 2 | 3 | -1) =>
      site.as(bkey).call(access.listGrants, { machineID: machineId, infoType })
    expect(await list(2)).toEqual({
      total: 1,
      list: [
        {
          id: bkeyGrant,
          userId: bkey.userId,
          name: '王芳',
          phone: '137****5678',
          email: 'w***@example.test',
          limit_authority: 2,
          machine_id: machineId,
          check_type: 0,
          limitRead: 0,
          limitAlarm: 1,
          leaving: false,
        },
      ],
    })
    expect(await list(3)).toMatchObject({ total: 1, list: [{ visitTime: -1, mode: 'ro', limitRead: 1 }] })
    expect(await list(-1)).toMatchObject({ total: 1, list: [{ id: black.userId, userId: black.userId }] })
    const everything = JSON.stringify([await list(2), await list(3), await list(-1)])
    for (const user of [bkey, guest, black]) expect(everything).not.toContain(user.email)
  })

  test('come in pages that begin anywhere', async () => {
    const { akey, machineId } = await createOwned()
    const ids: number[] = []
    for (let i = 0; i < 3; i++) {
      const { userId } = await site.createUser()
      ids.push(await site.grantMachine(userId, machineId, { role: 'visitor' }))
    }
    const page = { machineID: machineId, infoType: 3, start: 1, pageSize: 1 } as const
    const answer = await site.as(akey).call(access.listGrants, page)
    expect([answer.total, answer.list.map(({ id }) => id)]).toEqual([3, [ids[1]]])
  })
})

describe('people who can reach a machine now', () => {
  test('leaves out people without access: time over, blacklisted, locked', async () => {
    const { akey, machineId } = await createOwned()
    const people = await Promise.all(Array.from({ length: 5 }, () => site.createUser()))
    const [bkey, guest, late, black, locked] = people.map(({ userId }) => userId) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const until = new Date(Date.now() + 3_600_000)
    await site.grantMachine(bkey, machineId, { role: 'bkey' })
    await site.grantMachine(guest, machineId, { role: 'visitor', until, readOnly: true })
    await site.grantMachine(late, machineId, { role: 'visitor', until: new Date(Date.now() - 1) })
    await site.grantMachine(black, machineId, { role: 'visitor' })
    await site.blacklistUser(black, machineId)
    await site.grantMachine(locked, machineId, { role: 'bkey' })
    await site.db.updateTable('users').set({ state: 'locked' }).where('id', '=', locked).execute()
    const reach = await site.as(akey).call(access.listReach, { id: machineId })
    expect(reach.map(({ userId, by, mode, until: end }) => [userId, by, mode, end])).toEqual([
      [akey.userId, 'akey', 'rw', -1],
      [bkey, 'bkey', 'rw', -1],
      [guest, 'visitor', 'ro', until.getTime()],
    ])
    await site.as(akey).call(access.setCloudService, { machineID: machineId, state: false })
    expect(await site.as(akey).call(access.listReach, { id: machineId })).toEqual([])
  })
})

describe('a person’s role at a machine', () => {
  test('foreign and missing machines answer alike, ten times a minute', async () => {
    counters.begin()
    const [{ machineId }, stranger] = [await createOwned(), await site.createUser()]
    const ask = (deviceId: number) => site.as(stranger).call(access.getRole, { deviceId })
    const foreign = await ask(machineId)
    expect(foreign).toMatchObject({ role: 'ordinary', limit_authority: 0 })
    expect(await ask(987_654_321)).toEqual(foreign)
    for (let i = 0; i < 8; i++) await ask(machineId)
    const over = await failureOf(site.as(stranger), access.getRole, { deviceId: machineId })
    expect(over.code).toBe('429')
    // People may query their own machines as often as they like.
    await site.listMachine(stranger.userId, machineId)
    expect(await ask(machineId)).toEqual(foreign)
  })

  test('the owner of the enterprise that owns a machine equals its Akey, the owner of another is a stranger', async () => {
    const [{ eid, owner }, other] = [await site.createEnterprise(), await site.createEnterprise()]
    const { machineId } = await site.createEnterpriseMachine(eid)
    const request = { machineID: machineId }
    expect(await site.as(owner).call(access.setCloudService, request)).toEqual({ state: true })
    const refused = await failureOf(site.as(other.owner), access.setCloudService, request)
    expect(refused.code).toBe('403')
    const { role } = await site.as(owner).call(access.getRole, { deviceId: machineId })
    expect(role).toBe('akey')
  })

  test('the details show the visit time and the remaining time', async () => {
    const [{ akey, machineId }, guest] = [await createOwned(), await site.createUser()]
    const until = new Date(Date.now() + 3_600_000)
    const id = await site.grantMachine(guest.userId, machineId, { role: 'visitor', until })
    const detail = await site.as(guest).call(machines.getMachineDetail, { machineID: machineId })
    if (!('machine_valid_id' in detail)) throw new Error('a visitor sees the details')
    expect(detail.machine_valid_id).toBe(id)
    expect(detail.machine_rest_time).toBeGreaterThan(3_500_000)
    expect(detail.machine_rest_time).toBeLessThanOrEqual(3_600_000)
    const own = await site.as(akey).call(machines.getMachineDetail, { machineID: machineId })
    expect(own).toMatchObject({ machine_valid_id: null, machine_rest_time: -1 })
  })
})
