import { enterprises as contract } from '@busbar/contract'
import { placeMachine } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'

const site = useSite()

describe('a machine', () => {
  test('becomes the enterprise’s by its password, and after that no other’s', async () => {
    const { eid, owner } = await site.createEnterprise()
    const other = await site.createEnterprise()
    const { code, machineId } = await site.createMachine({ password: 'label 4711' })
    const add = { eid, machineCode: code, name: 'Oven 1', password: 'label 4711' }
    expect(await site.refusalOf(owner, contract.addEnterpriseMachine, { ...add, password: 'guess' })).toBe(
      '505',
    )
    expect(await site.as(owner).call(contract.addEnterpriseMachine, add)).toEqual({ machineId })
    expect(await site.refusalOf(owner, contract.addEnterpriseMachine, add)).toBe('04010112')
    expect(await site.refusalOf(other.owner, contract.addEnterpriseMachine, { ...add, eid: other.eid })).toBe(
      'MACHINE_OWNED',
    )
    const answer = await site.as(owner).call(contract.listEnterpriseDevices, { eid })
    expect(answer).toMatchObject({ total: 1, list: [{ pn: code, deviceName: 'Oven 1', limitAuthority: 3 }] })
    const { version } = answer as { version: string }
    expect(await site.as(owner).call(contract.listEnterpriseDevices, { eid, version })).toEqual({
      notModified: true,
    })
  })

  test('of a person cannot be taken, and only one of two simultaneous enterprises gets it', async () => {
    const [a, b] = [await site.createEnterprise(), await site.createEnterprise()]
    const person = await site.createUser()
    const owned = await site.createMachine({ owner: person.userId, password: 'label 4711' })
    const add = { machineCode: owned.code, name: 'Press', password: 'label 4711' }
    expect(await site.refusalOf(a.owner, contract.addEnterpriseMachine, { eid: a.eid, ...add })).toBe(
      'MACHINE_OWNED',
    )
    const { code } = await site.createMachine({ password: 'label 4711' })
    const both = await Promise.allSettled(
      [a, b].map(({ eid, owner }) =>
        site.as(owner).call(contract.addEnterpriseMachine, { ...add, eid, machineCode: code }),
      ),
    )
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('can be given up only when nobody holds a right any more, and all rights end with it', async () => {
    const { eid, owner } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid)
    await site.createHolder(machineId, { role: 'bkey' })
    const remove = { eid, id: machineId }
    expect(await site.refusalOf(owner, contract.removeEnterpriseMachine, remove)).toBe('MACHINE_HELD')
    await site.db
      .updateTable('machine_grants')
      .set({ role: 'visitor', until: new Date(0) })
      .execute()
    await site.as(owner).call(contract.removeEnterpriseMachine, remove)
    expect(await site.refusalOf(owner, contract.getEnterpriseMachineBase, { eid, deviceId: machineId })).toBe(
      '403',
    )
    const rest = site.db.selectFrom('machine_grants').select('id').where('machine_id', '=', machineId)
    expect(await rest.execute()).toEqual([])
  })

  test('shows a member without a right its name and state, not where it stands', async () => {
    const { eid } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid, { name: 'Oven 2' })
    await site.db
      .updateTable('machines')
      .set({ attributes: JSON.stringify({ ip: '10.1.2.3', iccid: '8986' }) })
      .where('id', '=', machineId)
      .execute()
    await placeMachine(site.db, machineId, { as_typed: 'Harbour 5', accuracy_m: 12, source: 'gps' })
    const device = { eid, deviceId: machineId }
    const [blind, viewer] = [await site.createMember(eid), await site.createMember(eid, 'member', ['view'])]
    expect(await site.as(blind).call(contract.getEnterpriseMachine, device)).toMatchObject({
      machineName: 'Oven 2',
      address: '',
      lat: null,
      lng: null,
      accuracy: null,
      source: null,
      placedAt: null,
      ip: '',
      iccid_num: '',
      testUrl: '',
      attributes: {},
      limitAuthority: 0,
      mayEnter: false,
    })
    const seen = await site.as(viewer).call(contract.getEnterpriseMachine, device)
    expect(seen).toMatchObject({
      address: 'Harbour 5',
      lat: 31.23,
      lng: 121.47,
      accuracy: 12,
      source: 'gps',
      ip: '10.1.2.3',
      limitAuthority: 1,
      mayEnter: true,
    })
    expect(seen.testUrl).toContain('.visit.localhost')
  })

  test('is entered with the right to, under its own enterprise only', async () => {
    const { eid } = await site.createEnterprise()
    const other = await site.createEnterprise()
    const { machineId, code } = await site.createEnterpriseMachine(eid)
    const viewer = await site.createMember(eid, 'member', ['view'])
    const enter = (user: typeof viewer, of: number) =>
      site.refusalOf(user, contract.openEnterpriseVisit, { eid: of, deviceId: machineId, terminalID: 't' })
    // Without a tunnel nothing answers: the right was there.
    expect(await enter(viewer, eid)).toMatch(/VISITS_OFF|ClOUD_VISIT_TIMEOUT/)
    expect(await enter(viewer, other.eid)).toBe('GENERAL_USER')
    expect(await enter(await site.createMember(eid), eid)).toBe('GENERAL_USER')
    const byCode = { eid, machineCode: code, terminalID: 't' }
    expect(await site.refusalOf(other.owner, contract.openEnterpriseVisitByCode, byCode)).toBe('GENERAL_USER')
  })
})

test('entering a machine does not reveal to a stranger which enterprise owns it', async () => {
  const { eid, owner } = await site.createEnterprise()
  const other = await site.createEnterprise()
  const { machineId, code } = await site.createEnterpriseMachine(eid)
  const terminalID = 't'
  const codesFor = (user: { token: string }) =>
    Promise.all(
      [eid, other.eid, 999_999].flatMap((of) => [
        site.refusalOf(user, contract.openEnterpriseVisit, { eid: of, deviceId: machineId, terminalID }),
        site.refusalOf(user, contract.openEnterpriseVisitByCode, { eid: of, machineCode: code, terminalID }),
      ]),
    )
  expect(new Set(await codesFor(await site.createUser()))).toEqual(new Set(['GENERAL_USER']))
  expect(new Set(await codesFor(other.owner))).toEqual(new Set(['GENERAL_USER']))
  const wrongly = { eid: other.eid, deviceId: machineId, terminalID }
  expect(await site.refusalOf(owner, contract.openEnterpriseVisit, wrongly)).toBe('GENERAL_USER')
})

describe('groups and teams', () => {
  test('a group that holds devices stays, and its name is there once', async () => {
    const { eid, owner } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid)
    const asOwner = site.as(owner)
    const { id } = await asOwner.call(contract.createGroup, { eid, name: 'Hall A' })
    expect(await site.refusalOf(owner, contract.createGroup, { eid, name: 'Hall A' })).toBe(
      'GROUP_NAME_TAKEN',
    )
    expect(await site.refusalOf(owner, contract.createGroup, { eid, name: 'A<b>' })).toBe('400')
    await asOwner.call(contract.updateEnterpriseMachine, { eid, id: machineId, groupId: id })
    expect(await asOwner.call(contract.listGroups, { eid })).toEqual([{ id, name: 'Hall A', count: 1 }])
    expect(await site.refusalOf(owner, contract.removeGroup, { eid, id })).toBe('GROUP_NOT_EMPTY')
    await asOwner.call(contract.updateEnterpriseMachine, { eid, id: machineId, groupId: 0 })
    await asOwner.call(contract.removeGroup, { eid, id })
  })

  test('a team accepts no people and devices of another enterprise', async () => {
    const { eid, owner } = await site.createEnterprise()
    const other = await site.createEnterprise()
    const foreign = await site.createEnterpriseMachine(other.eid)
    const team = { eid, name: 'Service', kind: 'manage' } as const
    const make = (more: object) => site.refusalOf(owner, contract.createTeam, { ...team, ...more })
    expect(await make({ memberIds: [other.owner.userId] })).toBe('TEAM_FOREIGN')
    expect(await make({ machineIds: [foreign.machineId] })).toBe('TEAM_FOREIGN')
    expect(await make({ machineIds: [999_999] })).toBe('TEAM_FOREIGN')
  })

  test('a manager of devices cannot make themselves their key: teams are for administrators', async () => {
    const { eid, owner } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid)
    const manager = await site.createMember(eid, 'member', ['manage'])
    const { id } = await site
      .as(owner)
      .call(contract.createTeam, { eid, name: 'Mine', kind: 'manage', memberIds: [manager.userId] })
    const move = { eid, id: machineId, teamId: id }
    expect(await site.refusalOf(manager, contract.updateEnterpriseMachine, move)).toBe('403')
    await site.as(owner).call(contract.updateEnterpriseMachine, move)
    const people = await site.as(owner).call(contract.listMachinePersonnel, { eid, deviceId: machineId })
    expect(people).toMatchObject([{ userId: manager.userId, limit_authority: 2 }])
  })
})

describe('the list of an enterprise’s devices', () => {
  async function createRunning() {
    const { eid, owner } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid)
    await site.platform.telemetry.append(machineId, [
      {
        kind: 'sample',
        group: '',
        tag: 'pressure',
        type: 'float64',
        value: 7,
        quality: 192,
        time: Date.now(),
        late: false,
      },
    ])
    await site.db
      .insertInto('alarms')
      .values({
        machine_id: machineId,
        key: 'hot',
        level: 'major',
        text: JSON.stringify({ en: 'Hot' }),
        raised_at: new Date(),
        received_at: new Date(),
      })
      .execute()
    const rowFor = async (user: typeof owner) => {
      const answer = await site.as(user).call(contract.listEnterpriseMachines, { eid })
      return 'list' in answer ? answer.list[0] : undefined
    }
    return { eid, owner, machineId, rowFor }
  }

  test('shows key value, last hours and alarms only to people who may enter', async () => {
    const { eid, owner, rowFor } = await createRunning()
    const row = await rowFor(owner)
    expect(row).toMatchObject({ role: 'akey', readOnly: false, openAlarms: 1, worstAlarm: 'major' })
    expect(row?.overview).toMatchObject({ keyTag: { name: 'pressure', value: 7 } })
    expect([row?.overview?.spark.length, row?.overview?.strip24h.length]).toEqual([24, 24])

    const viewer = await site.createMember(eid, 'member', ['view'])
    expect(await rowFor(viewer)).toMatchObject({ role: 'visitor', readOnly: true, openAlarms: 1 })
    const stranger = await site.createMember(eid)
    expect(await rowFor(stranger)).toMatchObject({ openAlarms: 0, worstAlarm: null, overview: null })
  })

  test('shows the key value that its reader chose for the same machine in their own list', async () => {
    const { owner, machineId, rowFor } = await createRunning()
    const other = await site.db
      .insertInto('tags')
      .values({ machine_id: machineId, group_name: '', name: 'speed', type: 'float64' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await site.db
      .insertInto('machine_list_entries')
      .values({
        user_id: owner.userId,
        machine_id: machineId,
        name: 'Mine',
        name_key: 'mine',
        key_tag_id: other.id,
      })
      .execute()
    expect((await rowFor(owner))?.overview?.keyTag).toMatchObject({ tagId: other.id, name: 'speed' })
  })
})
