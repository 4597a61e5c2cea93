import { limits, machines } from '@busbar/contract'
import { countLockWaits, failureOf, placeMachine, type TestMachine, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { FreshCounters } from '../../../test-support/http/fresh-counters.ts'

const counters = new FreshCounters()
const site = useSite({}, { rateCounters: counters })

describe('a person’s own name and remark for a machine', () => {
  const wish = (machine: TestMachine, more: { name?: string; remark?: string; code?: string }) => ({
    updateMachineID: machine.machineId,
    updateMachineCode: more.code ?? machine.code,
    ...(more.name === undefined ? {} : { updateMachineName: more.name }),
    ...(more.remark === undefined ? {} : { updateMachineRemark: more.remark }),
  })

  test('do not change for others, and report whether more than the remark changed', async () => {
    const [owner, other] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ owner: owner.userId, name: 'Press' })
    await site.listMachine(other.userId, machine.machineId, 'Theirs')
    const update = (more: Parameters<typeof wish>[1]) =>
      site.as(other).call(machines.updateMachine, wish(machine, more))
    expect(await update({ name: '注塑机 3', remark: '东侧' })).toEqual({ state: 1 })
    expect(await update({ name: '注塑机 3', remark: '' })).toEqual({ state: 10 })
    expect(await entryOf(other, machine)).toEqual({ name: '注塑机 3', remark: '' })
    expect(await entryOf(owner, machine)).toEqual({ name: 'Press', remark: '' })
  })

  test('are refused with special characters, twice in a list, under another code, or too long', async () => {
    const user = await site.createUser()
    const press = await site.createMachine({ owner: user.userId, name: 'Press <1>' })
    const pump = await site.createMachine({ owner: user.userId, name: 'Pump' })
    const codeOf = async (more: Parameters<typeof wish>[1], machine = pump) =>
      await site.refusalOf(user, machines.updateMachine, wish(machine, more))
    expect(await codeOf({ name: 'Pump <b>' })).toBe('040104011')
    expect(await codeOf({ remark: 'a`b' })).toBe('04010406')
    expect(await codeOf({ name: 'Press <1>' })).toBe('040104011')
    expect(await codeOf({ name: '' })).toBe('400')
    expect(await codeOf({ name: 'Pump' }, press)).toBe('04010412')
    expect(await codeOf({ name: 'Other', code: press.code })).toBe('400')
    expect(await codeOf({ name: '机'.repeat(21) })).toBe('400')
    expect(await codeOf({ remark: '注'.repeat(11) })).toBe('400')
    // A name of before the rule passes as long as it stays.
    await site.as(user).call(machines.updateMachine, wish(press, { name: 'Press <1>', remark: '东侧' }))
    expect(await entryOf(user, pump)).toEqual({ name: 'Pump', remark: '' })
  })

  test('of simultaneous equal names only one is accepted', async () => {
    const user = await site.createUser()
    const own = await Promise.all(Array.from({ length: 8 }, () => site.createMachine({ owner: user.userId })))
    const results = await Promise.allSettled(
      own.map((machine) => site.as(user).call(machines.updateMachine, wish(machine, { name: 'Twin' }))),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('are only for machines in the person’s list', async () => {
    const [owner, stranger] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ owner: owner.userId })
    const foreign = await failureOf(
      site.as(stranger),
      machines.updateMachine,
      wish(machine, { name: 'Mine' }),
    )
    const missing = await failureOf(site.as(stranger), machines.updateMachine, {
      ...wish(machine, { name: 'Mine' }),
      updateMachineID: 987_654_321,
    })
    expect([foreign.http, foreign.code, foreign.message]).toEqual([
      missing.http,
      missing.code,
      missing.message,
    ])
  })
})

describe('the list', () => {
  test('shows the caller’s role at a machine, and until when', async () => {
    const user = await site.createUser()
    const until = new Date(Date.now() + 3_600_000)
    const visited = await site.createMachine()
    await site.grantMachine(user.userId, visited.machineId, { role: 'visitor', until, readOnly: true })
    const over = await site.createMachine()
    await site.grantMachine(user.userId, over.machineId, { role: 'visitor', until: new Date(1) })
    const own = await site.createMachine({ owner: user.userId })
    const answer = await site.as(user).call(machines.listMachines, {})
    if (!('list' in answer)) throw new Error('no list')
    const rightOf = ({ machineId }: TestMachine) => {
      const item = answer.list.find(({ machine_id }) => machine_id === machineId)
      return [item?.role, item?.readOnly, item?.visitTime]
    }
    expect(rightOf(visited)).toEqual(['visitor', true, until.getTime()])
    expect(rightOf(over)).toEqual(['ordinary', false, 0])
    expect(rightOf(own)).toEqual(['akey', false, -1])
  })
})

describe('groups', () => {
  test('are made, renamed, filled with machines of the person’s list and removed when empty', async () => {
    const user = await site.createUser()
    const [press, pump] = [
      await site.createMachine({ owner: user.userId, name: 'Press' }),
      await site.createMachine({ owner: user.userId, name: 'Pump' }),
    ]
    const as = site.as(user)
    const { id } = await as.call(machines.createUserGroup, { name: '一车间' })
    await as.call(machines.updateUserGroup, { id, machineIds: [press.machineId, pump.machineId] })
    await as.call(machines.updateUserGroup, {
      id,
      name: '二车间',
      machineIds: [pump.machineId, pump.machineId],
    })
    expect(await as.call(machines.listUserGroups, {})).toEqual([{ id, name: '二车间', count: 1 }])
    expect((await failureOf(as, machines.removeUserGroup, { id })).code).toBe('GROUP_NOT_EMPTY')
    await as.call(machines.updateUserGroup, { id, machineIds: [] })
    await as.call(machines.removeUserGroup, { id })
    expect(await as.call(machines.listUserGroups, {})).toEqual([])
    expect((await failureOf(as, machines.removeUserGroup, { id })).code).toBe('04010113')
  })

  test('contain no machines of others and are not shown to others; foreign and missing ones are answered alike', async () => {
    const [user, other] = [await site.createUser(), await site.createUser()]
    const [own, foreign] = [
      await site.createMachine({ owner: user.userId }),
      await site.createMachine({ owner: other.userId }),
    ]
    const as = site.as(user)
    const { id } = await as.call(machines.createUserGroup, { name: 'Mine' })
    await as.call(machines.updateUserGroup, { id, machineIds: [own.machineId] })
    for (const machineId of [foreign.machineId, 987_654_321]) {
      const failure = await failureOf(as, machines.updateUserGroup, { id, machineIds: [machineId] })
      expect([failure.http, failure.code]).toEqual([403, '403'])
    }
    expect(await as.call(machines.listUserGroups, {})).toEqual([{ id, name: 'Mine', count: 1 }])
    for (const groupId of [id, 987_654_321]) {
      const change = { id: groupId, name: 'Theirs' }
      expect(await site.refusalOf(other, machines.updateUserGroup, change)).toBe('04010113')
      expect(await site.refusalOf(other, machines.removeUserGroup, { id: groupId })).toBe('04010113')
    }
  })

  test('take no machine that leaves the list at the same moment', async () => {
    const user = await site.createUser()
    const machine = await site.createMachine()
    await site.listMachine(user.userId, machine.machineId, 'Lent')
    const as = site.as(user)
    const { id } = await as.call(machines.createUserGroup, { name: 'Mine' })
    const late = await site.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('machine_list_entries').where('machine_id', '=', machine.machineId).execute()
      const filling = failureOf(as, machines.updateUserGroup, { id, machineIds: [machine.machineId] })
      filling.catch(() => undefined)
      await expect.poll(() => countLockWaits(site.db), { timeout: 10_000 }).toBe(1)
      return { filling }
    })
    expect((await late.filling).code).toBe('403')
    expect(await as.call(machines.listUserGroups, {})).toEqual([{ id, name: 'Mine', count: 0 }])
  })

  test('have one name each and are at most 200', async () => {
    const user = await site.createUser()
    const as = site.as(user)
    const { id } = await as.call(machines.createUserGroup, { name: 'One' })
    await as.call(machines.createUserGroup, { name: 'Two' })
    expect((await failureOf(as, machines.createUserGroup, { name: 'Two' })).code).toBe('GROUP_NAME_TAKEN')
    expect((await failureOf(as, machines.updateUserGroup, { id, name: 'Two' })).code).toBe('GROUP_NAME_TAKEN')
    expect((await failureOf(as, machines.createUserGroup, { name: 'a/b' })).code).toBe('400')
    await sql`insert into machine_groups (user_id, name)
      select ${user.userId}, 'G' || n from generate_series(3, ${limits.groupsPerUser}::int) n`.execute(
      site.db,
    )
    expect((await failureOf(as, machines.createUserGroup, { name: 'Full' })).code).toBe('GROUPS_FULL')
  })
})

describe('a scanned code', () => {
  const scan = (user: TestUser, machineCode: string) =>
    site.as(user).call(machines.checkScannedCode, { machineCode })

  test('shows the kind of code and whether the machine can be bound', async () => {
    const user = await site.createUser()
    const owned = await site.createMachine({ owner: user.userId })
    const free = await site.createMachine()
    expect(await scan(user, '9'.repeat(19))).toMatchObject({ exists: false, owner: 'none', canBind: false })
    expect(await scan(user, owned.code)).toMatchObject({ exists: true, owner: 'person', canBind: false })
    expect(await scan(user, free.code)).toMatchObject({ exists: true, owner: 'none', canBind: true })
  })

  test('may be called ten times a minute', async () => {
    counters.begin()
    const user = await site.createUser()
    for (let asks = 0; asks < 10; asks++) await scan(user, '9'.repeat(19))
    const failure = await failureOf(site.as(user), machines.checkScannedCode, { machineCode: '9'.repeat(19) })
    expect(failure.code).toBe('429')
  })
})

describe('general attributes', () => {
  test('of a list are found by group, text and online state; an ordinary user sees no more than that', async () => {
    const [user, owner] = [await site.createUser(), await site.createUser()]
    const own = await site.createMachine({ owner: user.userId, name: 'Press 1' })
    const listed = await site.createMachine({ owner: owner.userId })
    await site.listMachine(user.userId, listed.machineId, 'Press 2')
    await site.db
      .updateTable('machines')
      .set({ check_type: 1 })
      .where('id', 'in', [own.machineId, listed.machineId])
      .execute()
    for (const { machineId } of [own, listed])
      await placeMachine(site.db, machineId, { as_typed: '7 Mill Lane' })
    const as = site.as(user)
    const { id: groupId } = await as.call(machines.createUserGroup, { name: 'Hall' })
    await as.call(machines.updateUserGroup, { id: groupId, machineIds: [own.machineId] })
    const list = async (input: Parameters<typeof as.call<typeof machines.listGeneralAttributes>>[1] = {}) =>
      (await as.call(machines.listGeneralAttributes, input)).list
    expect(await list()).toMatchObject([
      { alias: 'Press 1', group: 'Hall', address: '7 Mill Lane', checkType: 1, lat: 31.23 },
      { alias: 'Press 2', group: '', address: '', checkType: 0, lat: null, lng: null, cloudService: true },
    ])
    const aliases = async (input: Parameters<typeof list>[0]) => (await list(input)).map(({ alias }) => alias)
    expect(await aliases({ groupId })).toEqual(['Press 1'])
    expect(await aliases({ search: 'press 2' })).toEqual(['Press 2'])
    expect(await aliases({ search: 'Mill' })).toEqual([])
    expect(await aliases({ online: true })).toEqual([])
    expect(await aliases({ page: 2, pageSize: 1 })).toEqual(['Press 2'])
    const detail = (deviceId: number) => as.call(machines.getGeneralAttributes, { deviceId })
    expect(await detail(own.machineId)).toMatchObject({ alias: 'Press 1', lng: 121.47 })
    await expect(detail(listed.machineId)).rejects.toMatchObject({ http: 403 })
  })
})

describe('alarms of a machine', () => {
  test('are listed for keys and confirmed by holders, but none from before the owner', async () => {
    const [owner, visitor, ordinary] = [
      await site.createUser(),
      await site.createUser(),
      await site.createUser(),
    ]
    const machine = await site.createMachine({ owner: owner.userId })
    const { machineId } = machine
    await site.grantMachine(visitor.userId, machineId, { role: 'visitor' })
    await site.listMachine(ordinary.userId, machineId)
    const now = Date.now()
    const raise = (key: string, raisedAt: number) =>
      site.db
        .insertInto('alarms')
        .values({
          machine_id: machineId,
          key,
          level: 'major',
          text: JSON.stringify({ cn: '过热', en: 'Too hot' }),
          raised_at: new Date(raisedAt),
          received_at: new Date(raisedAt),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    await raise('before', now - 3_600_000)
    await site.db
      .updateTable('machines')
      .set({ owned_since: new Date(now - 1_800_000) })
      .where('id', '=', machineId)
      .execute()
    const first = await raise('first', now - 60_000)
    await raise('second', now - 30_000)
    const list = () => site.as(owner).call(machines.listMachineAlarms, { machineID: machineId, pageSize: 10 })
    expect(await list()).toMatchObject({
      total: 2,
      list: [{ text: 'Too hot', created_at: now - 30_000, confirmedAt: null }, { id: first.id }],
    })
    expect(
      (await failureOf(site.as(visitor), machines.listMachineAlarms, { machineID: machineId })).http,
    ).toBe(403)
    expect((await failureOf(site.as(ordinary), machines.confirmAlarms, { machineID: machineId })).http).toBe(
      403,
    )
    const confirm = (alarmIds?: number[]) =>
      site
        .as(visitor)
        .call(machines.confirmAlarms, { machineID: machineId, ...(alarmIds ? { alarmIds } : {}) })
    expect(await confirm([first.id, 987_654_321])).toEqual({ confirmed: 1 })
    const { openAlarms } = (await site
      .as(owner)
      .call(machines.getMachineDetail, { machineID: machineId })) as machines.HeldDetail
    const toldOf = (alarmId: number) => openAlarms.find((alarm) => alarm.alarmId === alarmId)?.confirmedAt
    expect(toldOf(first.id)).toBeGreaterThanOrEqual(now)
    expect(openAlarms.filter(({ confirmedAt }) => confirmedAt === null)).not.toEqual([])
    expect(await confirm()).toEqual({ confirmed: 1 })
    expect(await confirm()).toEqual({ confirmed: 0 })
    const left = await site.db.selectFrom('alarms').select('key').where('confirmed_at', 'is', null).execute()
    expect(left.map(({ key }) => key)).toEqual(['before'])
  })
})

function entryOf(user: TestUser, { machineId }: TestMachine) {
  return site.db
    .selectFrom('machine_list_entries')
    .select(['name', 'remark'])
    .where('user_id', '=', user.userId)
    .where('machine_id', '=', machineId)
    .executeTakeFirstOrThrow()
}
