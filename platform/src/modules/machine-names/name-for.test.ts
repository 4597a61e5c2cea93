import { applications, enterprises, machines, messages, visits } from '@busbar/contract'
import type { TestEnterprise, TestMachine, TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { listNames, nameFor } from './index.ts'

/** The register's name of every machine of an import. */
const importedName = 'GL-100 HMI'
const password = 'label 4711'

const site = useSite()
let enterprise: TestEnterprise
let devices: TestMachine[]

async function addDevice(place: number): Promise<TestMachine> {
  const machine = await site.createMachine({ name: importedName, password })
  const { eid, owner } = enterprise
  const wish = { eid, machineCode: machine.code, name: `${place}#泵 (东)`, password }
  await site.as(owner).call(enterprises.addEnterpriseMachine, wish)
  return machine
}

const second = () => (devices[1] as TestMachine).machineId

const rename = (id: number, name: string) =>
  site.as(enterprise.owner).call(enterprises.updateEnterpriseMachine, { eid: enterprise.eid, id, name })

const detailOf = async (user: TestUser) =>
  (await site.as(user).call(machines.getMachineDetail, { machineID: second() })).equname
const aliasOf = async (user: TestUser) =>
  (await site.as(user).call(machines.getGeneralAttributes, { deviceId: second() })).alias
const messageOf = async (user: TestUser, scene: messages.MessageTab, search = '') =>
  (await site.as(user).call(messages.listMessages, { scene, search })).list[0]

async function applyFor(machineId: number): Promise<TestUser> {
  const asker = await site.createUser({ name: 'Dan' })
  await site.listMachine(asker.userId, machineId)
  await site
    .as(asker)
    .call(applications.applyForVisit, { machineID: machineId, terminalID: 'terminal', mode: 'ro' })
  return asker
}

describe('a machine of an enterprise, one of three from one import', () => {
  beforeEach(async () => {
    enterprise = await site.createEnterprise()
    devices = [await addDevice(1), await addDevice(2), await addDevice(3)]
  })

  test('is named as the enterprise’s device in the application message to its owner, also after a renaming', async () => {
    await applyFor(second())
    expect(await messageOf(enterprise.owner, 'inbox')).toMatchObject({
      machine: { machineId: second(), name: '2#泵 (东)' },
      body: expect.stringContaining('“2#泵 (东)”'),
    })
    expect((await messageOf(enterprise.owner, 'inbox', '2#泵'))?.machine?.machineId).toBe(second())
    await rename(second(), '备用泵')
    expect(await messageOf(enterprise.owner, 'inbox')).toMatchObject({
      machine: { name: '备用泵' },
      body: expect.stringContaining('“备用泵”'),
    })
  })

  test('has that name in its details, on the administration page and in the report and the list of visits', async () => {
    const { owner } = enterprise
    const member = await site.createMember(enterprise.eid, 'member', ['view'])
    expect([await detailOf(owner), await aliasOf(owner)]).toEqual(['2#泵 (东)', '2#泵 (东)'])
    expect([await detailOf(member), await aliasOf(member)]).toEqual(['2#泵 (东)', '2#泵 (东)'])
    const from = Date.now()
    await site.db
      .insertInto('visits')
      .values({
        user_id: member.userId,
        session_id: member.sessionId,
        machine_id: second(),
        target: 'page',
        address: '127.0.0.1',
        started_at: new Date(from),
        ends_at: new Date(from + 60_000),
        active_at: new Date(from),
      })
      .execute()
    const span = { machineId: second(), from: from - 60_000, to: from + 60_000 }
    const report = await site.as(owner).call(visits.getVisitReport, span)
    expect([report.machine.name, report.visits[0]?.machine.name]).toEqual(['2#泵 (东)', '2#泵 (东)'])
    const { list } = await site.as(member).call(visits.listVisits, { machineId: second() })
    expect(list[0]?.machine.name).toBe('2#泵 (东)')
  })

  test('has the name of the reader’s own list first, and the shared one for a visitor from outside', async () => {
    await site.listMachine(enterprise.owner.userId, second(), 'My pump')
    expect([await detailOf(enterprise.owner), await aliasOf(enterprise.owner)]).toEqual([
      'My pump',
      'My pump',
    ])
    const visitor = await site.createUser()
    await site.grantMachine(visitor.userId, second(), { role: 'visitor' })
    await sql`delete from machine_list_entries where user_id = ${visitor.userId}`.execute(site.db)
    expect([...(await listNames(site.db, visitor.userId, [second()])).values()]).toEqual(['2#泵 (东)'])
  })

  test('comes into a member’s own list under the enterprise’s name when a key gives them a right', async () => {
    const member = await site.createMember(enterprise.eid, 'member', ['view'])
    await rename(second(), '备用泵')
    const asker = { machineID: second(), terminalID: 'terminal', mode: 'rw' as const }
    const { applyId } = await site.as(member).call(applications.applyForVisit, asker)
    await site
      .as(enterprise.owner)
      .call(applications.verifyVisit, { applyId: applyId ?? 0, pass: true, mode: 'rw', validTime: -1 })
    const { list = [] } = (await site.as(member).call(machines.listMachines, { version: '' })) as {
      list?: machines.MachineItem[]
    }
    expect(list.map(({ machine_name }) => machine_name)).toEqual(['备用泵'])
  })

  test('keeps in a message the name it had, once the reader has left the enterprise', async () => {
    const manager = await site.createMember(enterprise.eid, 'admin')
    await applyFor(second())
    await sql`delete from enterprise_members where user_id = ${manager.userId}`.execute(site.db)
    await rename(second(), 'Secret name')
    await sql`update machines set name = 'Secret name' where id = ${second()}`.execute(site.db)
    expect((await messageOf(manager, 'inbox'))?.machine?.name).toBe('2#泵 (东)')
  })
})

describe('names in one statement', () => {
  test('are of many machines, each as its reader has it', async () => {
    enterprise = await site.createEnterprise()
    devices = [await addDevice(1), await addDevice(2)]
    const { owner } = enterprise
    const [holder, maintainer] = [await site.createUser(), await site.createEnterprise('Service')]
    await site.grantMachine(holder.userId, second(), { role: 'bkey' })
    await site.openWindow({ eid: maintainer.eid, machineId: second() })
    const hand = await site.createMember(maintainer.eid, 'member', ['maintain'])
    const idle = await site.createMember(maintainer.eid, 'member', ['maintain'])
    const team = { eid: maintainer.eid, kind: 'maintain', memberIds: [hand.userId] } as const
    await site.createTeam({ ...team, machineIds: [second()] })
    const readers = [owner, holder, maintainer.owner, hand, idle].map(({ userId }) => userId)
    const named = readers.map(async (userId) => (await listNames(site.db, userId, [second()])).get(second()))
    expect(await Promise.all(named)).toEqual(['2#泵 (东)', 'Machine', 'Customer', 'Customer', '2#泵 (东)'])
    const ids = devices.map(({ machineId }) => machineId)
    expect([...(await listNames(site.db, owner.userId, [...ids, 999_999_999]))]).toEqual([
      [ids[0], '1#泵 (东)'],
      [ids[1], '2#泵 (东)'],
    ])
  })

  test('of thousands of a person’s own machines need no look-up in enterprises', async () => {
    const reader = await site.createUser()
    await sql`
      with made as (
        insert into machines (code, type, name, secret_hash)
        select lpad((7000000000000000000 + n)::text, 19, '0'), 'machine', 'Many', decode(repeat('00', 32), 'hex')
        from generate_series(1, 3000) n returning id)
      insert into machine_list_entries (user_id, machine_id, name)
      select ${reader.userId}, id, 'Mine' from made`.execute(site.db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, costs off, timing off, summary off)
      select ${nameFor(sql`${reader.userId}::bigint`, sql.ref('machines.id'))} from machines
      where id in (select machine_id from machine_list_entries where user_id = ${reader.userId})`.execute(
      site.db,
    )
    const looks = rows.map((row) => row['QUERY PLAN']).filter((line) => /(enterprise_|shared)/.test(line))
    expect(looks.filter((line) => line.includes('->'))).not.toEqual([])
    for (const line of looks.filter((line) => line.includes('->'))) expect(line).toContain('never executed')
  })
})
