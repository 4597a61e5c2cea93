import { boards, enterprises, operator } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const site = useSite()
let boss: TestUser
beforeAll(async () => {
  boss = await site.createUser({ name: 'Olga Op' })
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
})

const asBoss = () => site.as(boss)
const missing = 999_999_999

describe('the page of a person', () => {
  test('shows their identity, sessions and possessions, without a secret', async () => {
    const person = await site.createUser({ name: 'Page Person' })
    const own = await site.createMachine({ owner: person.userId, name: 'Own press' })
    const other = await site.createMachine({ name: 'Shared press' })
    await site.grantMachine(person.userId, other.machineId, { role: 'visitor' })
    const over = await site.createMachine({ name: 'Over' })
    await site.grantMachine(person.userId, over.machineId, { role: 'visitor', until: new Date(0) })
    const { eid } = await site.createEnterprise()
    await site.db
      .insertInto('enterprise_members')
      .values({ enterprise_id: eid, user_id: person.userId, role: 'admin' })
      .execute()

    const user = await asBoss().call(operator.getUser, { id: person.userId })
    expect(user).toMatchObject({
      ...{ userId: person.userId, name: 'Page Person', email: person.email, state: 'active' },
      ...{ machines: 1, enterprises: 1, twoFactor: false, leavesAt: null },
    })
    const sessions = await asBoss().call(operator.listUserSessions, { id: person.userId })
    expect(sessions.list.map(({ id }) => id)).toEqual([person.sessionId])
    const machines = await asBoss().call(operator.listUserMachines, { id: person.userId })
    expect(machines.list.map(({ name, role }) => [name, role])).toEqual([
      ['Shared press', 'visitor'],
      ['Own press', 'akey'],
    ])
    expect(machines.total).toBe(2)
    const second = await asBoss().call(operator.listUserMachines, { id: person.userId, page: 2, pageSize: 1 })
    expect(second.list.map(({ machineId }) => machineId)).toEqual([own.machineId])
    const spaces = await asBoss().call(operator.listUserEnterprises, { id: person.userId })
    expect(spaces.list).toMatchObject([{ eid, role: 'admin' }])
    const told = JSON.stringify([user, sessions, machines, spaces])
    expect(told).not.toContain(person.token)
    expect(told).not.toMatch(/hash|secret|password/i)
  })

  test('lists the messages to their accounts only', async () => {
    const person = await site.createUser()
    const rows = [person.email, `x${person.email}`].map((recipient) => ({
      ...{ kind: 'email', recipient, text: 'Hello', brand_id: 1, state: 'failed', created_at: new Date() },
    }))
    await site.db.insertInto('outgoing').values(rows).execute()
    const { list } = await asBoss().call(operator.listOutgoing, { userId: person.userId })
    expect(list.map(({ to }) => to)).toEqual([person.email])
    const { list: noted } = await asBoss().call(operator.listAudit, { search: 'outbox.read' })
    expect(noted[0]).toMatchObject({ detail: { userId: person.userId } })
    expect((await asBoss().call(operator.listOutgoing, { userId: missing })).list).toEqual([])
  })

  test('lists their actions and those on their account', async () => {
    const person = await site.createUser()
    await asBoss().call(operator.updateUser, { id: person.userId, state: 'locked' })
    await site.createUser()
    const { list } = await asBoss().call(operator.listAudit, { aboutUserId: person.userId })
    expect(list.map(({ action, actor }) => [action, actor])).toEqual([['user.lock', 'Olga Op']])
  })
})

describe('the page of a machine', () => {
  test('shows its owner, connection, limits and the people who may enter, without a secret', async () => {
    const akey = await site.createUser({ name: 'Akey' })
    const guest = await site.createUser({ name: 'Guest' })
    const machine = await site.createMachine({ owner: akey.userId, name: 'Press 7' })
    await site.grantMachine(guest.userId, machine.machineId, { role: 'bkey' })
    const startedAt = new Date(1_700_000_000_000)
    await site.db
      .insertInto('machine_connections')
      .values({
        ...{ machine_id: machine.machineId, protocol: 'mqtt', address: '192.0.2.7', started_at: startedAt },
        ...{ last_seen_at: startedAt, ended_at: startedAt },
      })
      .execute()
    const found = await asBoss().call(operator.getMachine, { id: machine.machineId })
    expect(found).toMatchObject({
      ...{ machineCode: machine.code, owner: 'Akey', ownerUserId: akey.userId, ownerEid: null },
      ...{ online: false, bkeys: 1, visitors: 0 },
      connection: { protocol: 'mqtt', address: '192.0.2.7', endedAt: startedAt.getTime() },
    })
    expect(found.limits.values).toBeGreaterThan(0)
    const holders = await asBoss().call(operator.listMachineHolders, { id: machine.machineId })
    expect(holders.list.map(({ name, role }) => [name, role])).toEqual([
      ['Akey', 'akey'],
      ['Guest', 'bkey'],
    ])
    expect(JSON.stringify([found, holders])).not.toMatch(/hash|secret|password/i)
  })

  test('lists its visits, and those of one person', async () => {
    const guest = await site.createUser({ name: 'Guest' })
    const machine = await site.createMachine({ name: 'Press 8' })
    const visit = {
      ...{ machine_id: machine.machineId, user_id: guest.userId, session_id: guest.sessionId },
      ...{ target: 'page', address: 'a', active_at: new Date(), ends_at: new Date() },
    }
    await site.db
      .insertInto('visits')
      .values(
        [1_000, 2_000].map((at) => ({
          ...visit,
          started_at: new Date(at),
          ended_at: new Date(at + 1),
          end_reason: 'left',
        })),
      )
      .execute()
    const of = await asBoss().call(operator.listMachineVisits, { id: machine.machineId })
    expect(of.list.map(({ startedAt, user }) => [startedAt, user])).toEqual([
      [2_000, 'Guest'],
      [1_000, 'Guest'],
    ])
    const by = await asBoss().call(operator.listUserVisits, { id: guest.userId })
    expect(by.list.map(({ machine: name }) => name)).toEqual(['Press 8', 'Press 8'])
    expect(by.total).toBe(2)
  })
})

test('the page of an enterprise shows its owners, members, devices and history', async () => {
  const { eid, owner } = await site.createEnterprise()
  const device = await site.createEnterpriseMachine(eid)
  const found = await asBoss().call(operator.getEnterprise, { eid })
  expect(found).toMatchObject({ eid, ownerUserId: owner.userId, members: 1 })
  const members = await asBoss().call(operator.listEnterpriseMembers, { eid })
  expect(members.list).toMatchObject([{ userId: owner.userId, role: 'owner' }])
  const machines = await asBoss().call(operator.listEnterpriseMachines, { eid })
  expect(machines.list).toMatchObject([{ machineCode: device.code, kind: 'owned' }])
  await asBoss().call(operator.updateEnterprise, { eid, state: 'locked' })
  const { list } = await asBoss().call(operator.listAudit, { aboutEid: eid })
  expect(list.map(({ action }) => action)).toContain('enterprise.lock')
})

test('the log named people, enterprises and boards by numbers', async () => {
  const { eid, owner } = await site.createEnterprise()
  const guest = await site.createUser({ name: 'Greta Guest' })
  await site
    .as(owner)
    .call(enterprises.inviteMember, { eid, account: guest.email, role: 'member', rights: [] })
  await site.as(owner).call(enterprises.updateEnterprise, { eid, name: 'Named works' })
  const { list } = await asBoss().call(operator.listAudit, { aboutEid: eid })
  expect(list.map(({ action, target, targetName }) => [action, target, targetName])).toEqual([
    ['enterprise.update', String(eid), 'Named works'],
    ['enterprise.member.invite', String(guest.userId), 'Greta Guest'],
  ])
  const { id } = await site.as(guest).call(boards.createBoard, {
    name: 'Boiler house',
    layout: { variable: null, range: { lastMs: 3_600_000 }, tiles: [] },
  })
  const made = await asBoss().call(operator.listAudit, { aboutUserId: guest.userId })
  expect(made.list[0]).toMatchObject({
    action: 'board.create',
    target: String(id),
    targetName: 'Boiler house',
  })
})

test.each([
  ['getUser', operator.getUser, { id: missing }],
  ['listUserSessions', operator.listUserSessions, { id: missing }],
  ['listUserMachines', operator.listUserMachines, { id: missing }],
  ['listUserEnterprises', operator.listUserEnterprises, { id: missing }],
  ['listUserVisits', operator.listUserVisits, { id: missing }],
  ['getMachine', operator.getMachine, { id: missing }],
  ['listMachineHolders', operator.listMachineHolders, { id: missing }],
  ['listMachineVisits', operator.listMachineVisits, { id: missing }],
  ['getEnterprise', operator.getEnterprise, { eid: missing }],
  ['listEnterpriseMembers', operator.listEnterpriseMembers, { eid: missing }],
  ['listEnterpriseMachines', operator.listEnterpriseMachines, { eid: missing }],
] as const)('a page of nobody is not found: %s', async (_, route, input) => {
  expect((await failureOf(asBoss(), route as typeof operator.getUser, input as { id: number })).code).toBe(
    '404',
  )
})

describe('the order of a list holds beyond its page', () => {
  /** The names of pages one after the other, two rows each. */
  async function namesOf<Row>(
    load: (page: number) => Promise<{ readonly list: readonly Row[] }>,
    nameOf: (row: Row) => string,
  ): Promise<string[]> {
    const names: string[] = []
    for (const page of [1, 2, 3]) names.push(...(await load(page)).list.map(nameOf))
    return names
  }

  test('people by name, Chinese by pinyin, and those of equal names in a stable order', async () => {
    const names = ['sorted 赵', 'Sorted 阿', 'sorted b', 'Sorted B']
    for (const name of names) await site.createUser({ name })
    const load = (order: 'asc' | 'desc') => (page: number) =>
      asBoss().call(operator.listUsers, { search: 'sorted', sort: 'name', order, page, pageSize: 2 })
    const rising = await namesOf(load('asc'), ({ name }) => name)
    expect(rising.map((name) => name.toLowerCase())).toEqual([
      'sorted 阿',
      'sorted 赵',
      'sorted b',
      'sorted b',
    ])
    expect(await namesOf(load('desc'), ({ name }) => name)).toEqual(rising.toReversed())
  })

  test('machines by the time they were last online, those never online last in both directions', async () => {
    const model = 'sorted-model'
    const made = []
    for (const at of [3_000, null, 1_000]) {
      const { machineId } = await site.createMachine()
      await site.db
        .updateTable('machines')
        .set({ model, last_seen_at: at === null ? null : new Date(at) })
        .where('id', '=', machineId)
        .execute()
      made.push(machineId)
    }
    const [late, never, early] = made
    const load = async (order: 'asc' | 'desc') => {
      const { list } = await asBoss().call(operator.listMachines, {
        search: model,
        sort: 'lastSeenAt',
        order,
      })
      return list.map(({ machineId }) => machineId)
    }
    expect(await load('asc')).toEqual([early, late, never])
    expect(await load('desc')).toEqual([late, early, never])
  })

  test.each(['users', 'machines', 'enterprises', 'audit', 'outbox', 'scada'] as const)(
    'an undeclared column is refused: %s',
    async (list) => {
      const path = list === 'scada' ? 'scada-requests' : list
      const response = await fetch(`${site.url}/api/operator/v1/${path}?sort=password_hash`, {
        headers: { token: boss.token },
      })
      expect(response.status).toBe(400)
    },
  )

  test('every declared column can be requested', async () => {
    const ask = asBoss()
    // One after the other: few searches of one person run at a time.
    for (const sort of operator.userOrders) await ask.call(operator.listUsers, { sort })
    for (const sort of operator.machineOrders) await ask.call(operator.listMachines, { sort, order: 'desc' })
    for (const sort of operator.enterpriseOrders) await ask.call(operator.listEnterprises, { sort })
    for (const sort of operator.scadaOrders) await ask.call(operator.listScadaRequests, { sort })
    for (const sort of operator.outgoingOrders) await ask.call(operator.listOutgoing, { sort })
    for (const sort of operator.auditOrders) await ask.call(operator.listAudit, { sort })
  })
})
