import { limits, machines, telemetry } from '@busbar/contract'
import { failureOf, placeMachine } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { FreshCounters } from '../../../test-support/http/fresh-counters.ts'
import type { Failure } from '../../kernel/http/failure.ts'
import { createAccess } from '../access/index.ts'
import { addMachine } from './machines-service.ts'

const counters = new FreshCounters()
const site = useSite({}, { rateCounters: counters })

const password = 'label-password-1'

describe('adding a machine', () => {
  test('with its password makes the caller its Akey', async () => {
    const user = await site.createUser()
    const machine = await site.createMachine({ password })
    const input = { machineName: '注塑机 H-380T', machineCode: machine.code, machinePwd: password }
    const added = await site.as(user).call(machines.addMachine, input)
    expect(added).toEqual({ machineID: machine.machineId, limit_authority: 3, state: 0 })
    const answer = await site.as(user).call(machines.listMachines, {})
    expect('list' in answer && answer.list[0]).toMatchObject({
      machine_name: '注塑机 H-380T',
      limit_authority: 3,
      online: false,
    })
    expect(await site.refusalOf(user, machines.addMachine, input)).toBe('04010112')
  })

  test('an unowned machine gets an Akey only with its right password', async () => {
    const user = await site.createUser()
    const machine = await site.createMachine({ password })
    const add = (machinePwd?: string) =>
      failureOf(site.as(user), machines.addMachine, {
        machineName: 'Press',
        machineCode: machine.code,
        ...(machinePwd ? { machinePwd } : {}),
      })
    expect((await add()).hwcode).toBe(505)
    expect((await add('wrong password')).hwcode).toBe(505)
    const row = await site.db
      .selectFrom('machines')
      .select('owner_user_id')
      .where('id', '=', machine.machineId)
      .executeTakeFirst()
    expect(row?.owner_user_id).toBeNull()
  })

  test('ten wrong passwords at the same moment are five guesses, not ten', async () => {
    const user = await site.createUser()
    const machine = await site.createMachine({ password })
    const input = { machineName: 'Press', machineCode: machine.code, machinePwd: 'wrong password' }
    const access = createAccess(site.db)
    // Calls the service below the routes, whose limit of calls is not the subject of this test.
    const attempt = () =>
      addMachine(site.db, { bus: site.platform.bus, access, facts: site.platform.facts }, input, {
        user,
        address: '',
        now: Date.now(),
      }).then(
        () => 'added',
        (error: Failure) => error.code,
      )
    const codes = await Promise.all(Array.from({ length: 10 }, attempt))
    expect(codes.filter((code) => code === '505').length).toBeLessThanOrEqual(5)
    expect(codes.filter((code) => code === '04010114').length).toBeGreaterThanOrEqual(5)
  })

  test('a list of 5,000 machines is full', async () => {
    const user = await site.createUser()
    await site.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: number }>`
        insert into machines (code, type, name, secret_hash)
        select lpad((7000000 + n)::text, 19, '7'), 'machine', 'Machine', decode(repeat('00', 32), 'hex')
        from generate_series(1, ${limits.machinesPerList}::int) n returning id`.execute(trx)
      await trx
        .insertInto('machine_list_entries')
        .values(rows.map(({ id }) => ({ user_id: user.userId, machine_id: id, name: 'Machine' })))
        .execute()
    })
    const machine = await site.createMachine({ password })
    const input = { machineName: 'Press', machineCode: machine.code, machinePwd: password }
    expect(await site.refusalOf(user, machines.addMachine, input)).toBe('04010115')
  })

  test('five wrong passwords in an hour end the guessing, even for the right one', async () => {
    const user = await site.createUser()
    const machine = await site.createMachine({ password })
    const add = (machinePwd: string) =>
      failureOf(site.as(user), machines.addMachine, {
        machineName: 'Press',
        machineCode: machine.code,
        machinePwd,
      })
    for (let i = 0; i < 5; i++) expect((await add('wrong password')).hwcode).toBe(505)
    expect((await add(password)).code).toBe('04010114')
  })

  test('of an owned machine, even with its password, makes an ordinary user without data of it', async () => {
    const [owner, other] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ password, owner: owner.userId })
    const added = await site
      .as(other)
      .call(machines.addMachine, { machineName: 'Press', machineCode: machine.code, machinePwd: password })
    expect(added.limit_authority).toBe(0)
    const answer = await site.as(other).call(machines.listMachines, {})
    expect('list' in answer && answer.list[0]?.overview).toBeNull()
    const detail = await site.as(other).call(machines.getMachineDetail, { machineID: machine.machineId })
    expect(detail).toEqual({
      equid: machine.machineId,
      equname: 'Press',
      machine_code: machine.code,
      machine_type: 'machine',
      online: false,
      machine_limit: 0,
    })
  })

  test('an ordinary user who added an owned machine by its code alone does not see its place', async () => {
    const [owner, stranger] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ owner: owner.userId })
    await site.db
      .updateTable('machines')
      .set({
        model: 'HX-T10',
        project_image: '/p.png',
        cloud_service: false,
        last_seen_at: new Date(),
      })
      .where('id', '=', machine.machineId)
      .execute()
    await placeMachine(site.db, machine.machineId, { as_typed: '7 Mill Lane' })
    await site.as(stranger).call(machines.addMachine, { machineName: 'Press', machineCode: machine.code })
    const answer = await site.as(stranger).call(machines.listMachines, {})
    expect('list' in answer && answer.list[0]).toMatchObject({
      limit_authority: 0,
      lat: null,
      lng: null,
      accuracy: null,
      source: null,
      placedAt: null,
      address: '',
      model: '',
      project_image: '',
      cloud_service: true,
      lastSeen: null,
    })
  })

  test('two people with the password at the same moment: one Akey, the other an ordinary user', async () => {
    const [one, two] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ password })
    const add = (user: { token: string }) =>
      site
        .as(user)
        .call(machines.addMachine, { machineName: 'Press', machineCode: machine.code, machinePwd: password })
        .then(
          (answer) => answer.limit_authority,
          (error) => error.code as string,
        )
    const results = await Promise.all([add(one), add(two)])
    expect(results.sort()).toEqual([0, 3])
  })

  test('an unknown code is reported as such, at most ten times a minute', async () => {
    counters.begin()
    const user = await site.createUser()
    const ask = () =>
      failureOf(site.as(user), machines.addMachine, { machineName: 'Press', machineCode: '9'.repeat(19) })
    const codes: string[] = []
    for (let i = 0; i < 11; i++) codes.push((await ask()).code)
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('04010102'))
    expect(codes[10]).toBe('429')
  })
})

describe('the list', () => {
  test('answers notModified to its own version and the whole list to anything else', async () => {
    const user = await site.createUser()
    await site.createMachine({ owner: user.userId })
    const first = await site.as(user).call(machines.listMachines, {})
    if (!('list' in first)) throw new Error('a first call has no version to be unchanged against')
    expect(await site.as(user).call(machines.listMachines, { version: first.version })).toEqual({
      notModified: true,
    })
    for (const version of ['', '1.4.2']) {
      expect(await site.as(user).call(machines.listMachines, { version })).toHaveProperty('list')
    }
    await site.createMachine({ owner: user.userId })
    expect(await site.as(user).call(machines.listMachines, { version: first.version })).toHaveProperty('list')
  })

  test('a visitor whose time is over keeps the entry and loses the data', async () => {
    const user = await site.createUser()
    const machine = await site.createMachine()
    await site.grantMachine(user.userId, machine.machineId, {
      role: 'visitor',
      until: new Date(Date.now() - 1),
    })
    const answer = await site.as(user).call(machines.listMachines, {})
    expect('list' in answer && answer.list[0]).toMatchObject({ limit_authority: 0, overview: null })
  })
})

describe('rights over a machine', () => {
  test('foreign and missing machines answer alike', async () => {
    const [user, owner] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ owner: owner.userId })
    const foreign = await failureOf(site.as(user), machines.getMachineDetail, {
      machineID: machine.machineId,
    })
    const missing = await failureOf(site.as(user), machines.getMachineDetail, { machineID: 987_654_321 })
    expect([foreign.http, foreign.code, foreign.message]).toEqual([
      403,
      '403',
      'User does not have permission to operate',
    ])
    expect([missing.http, missing.code, missing.message]).toEqual([
      foreign.http,
      foreign.code,
      foreign.message,
    ])
  })

  test('states by id leave out machines that are not in the list', async () => {
    const [user, owner] = [await site.createUser(), await site.createUser()]
    const own = await site.createMachine()
    await site.listMachine(user.userId, own.machineId)
    const foreign = await site.createMachine({ owner: owner.userId })
    const states = await site
      .as(user)
      .call(machines.listMachineStates, { machineIDs: [own.machineId, foreign.machineId] })
    expect(states.map((state) => state.machineCode)).toEqual([own.code])
  })

  test('a key value must be a tag of that machine', async () => {
    const user = await site.createUser()
    const [own, other] = [await site.createMachine({ owner: user.userId }), await site.createMachine()]
    const tag = (machineId: number) =>
      site.db
        .insertInto('tags')
        .values({ machine_id: machineId, group_name: '', name: 'temp', type: 'float64' })
        .returning('id')
        .executeTakeFirstOrThrow()
    const [mine, foreign] = [await tag(own.machineId), await tag(other.machineId)]
    const set = (tagId: number) => ({ machineID: own.machineId, tagId })
    expect(await site.refusalOf(user, machines.setKeyTag, set(foreign.id))).toBe('404')
    await site.as(user).call(machines.setKeyTag, set(mine.id))
    const detail = await site.as(user).call(machines.getMachineDetail, { machineID: own.machineId })
    expect(detail).toMatchObject({ keyTagId: mine.id })
  })
})

test('a list shows a machine’s key value as soon as the newest values have it', async () => {
  const owner = await site.createUser()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  const shown = async () => {
    const answer = await site.as(owner).call(machines.listMachines, {})
    return 'list' in answer ? answer.list[0]?.overview?.keyTag : undefined
  }
  const at = Date.now()
  const send = (value: number, time: number) =>
    site.platform.telemetry.append(machineId, [
      { kind: 'sample', group: '', tag: 'pressure', type: 'float64', value, quality: 192, time, late: false },
    ])
  for (const [value, time] of [
    [7.5, at],
    [7.6, at + 1],
  ] as const) {
    await send(value, time)
    const [newest] = await site.as(owner).call(telemetry.listLatest, { machineId })
    expect(newest).toMatchObject({ value, time })
    expect(await shown()).toMatchObject({ value, time })
  }
})
