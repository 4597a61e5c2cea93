import { startModbusDevice } from '@busbar/agent/testing/modbus-device.ts'
import { access, enterprises, limits, machines, messages, telemetry, visits } from '@busbar/contract'
import {
  aside,
  enterVisit,
  failureOf,
  openTestTunnel,
  startTestAgent,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { expireTransfers } from './transfers-service.ts'

const deadline = { timeout: 10_000 }
const site = useSite()
let ann: TestUser
let ben: TestUser
let machine: TestMachine

beforeEach(async () => {
  ann = await site.createUser({ name: 'Ann' })
  ben = await site.createUser({ name: 'Ben' })
  machine = await site.createMachine({ owner: ann.userId })
  await site.proveSession(ann.sessionId)
})

const offerTo = (account: string) => ({ machineID: machine.machineId, account })
const offer = async () => (await site.as(ann).call(machines.offerMachine, offerTo(ben.email))).applyId
const answer = (user: TestUser, applyId: number, action: machines.TransferAction) =>
  site.as(user).call(machines.answerTransfer, { applyId, action })
const refusalOf = async (user: TestUser, applyId: number, action: machines.TransferAction) =>
  await site.refusalOf(user, machines.answerTransfer, { applyId, action })

const ownerOf = async (machineId = machine.machineId) => {
  const row = await site.db
    .selectFrom('machines')
    .select('owner_user_id')
    .where('id', '=', machineId)
    .executeTakeFirstOrThrow()
  return row.owner_user_id
}
const stateOf = async (applyId: number) => {
  const row = await site.db
    .selectFrom('machine_transfers')
    .select('state')
    .where('id', '=', applyId)
    .executeTakeFirstOrThrow()
  return row.state
}

/** Statements that wait for another transaction's lock. */
const countBlocked = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(site.db)
  return rows[0]?.count ?? 0
}

describe('an offer', () => {
  test('reaches its receiver, and only the receiver can accept it', async () => {
    const applyId = await offer()
    const listed = { applyId, machineCode: machine.code, from: 'Ann', to: 'Ben' }
    expect(await site.as(ann).call(machines.listTransfers, {})).toMatchObject([{ ...listed, mine: true }])
    expect(await site.as(ben).call(machines.listTransfers, {})).toMatchObject([{ ...listed, mine: false }])
    const eve = await site.createUser()
    expect(await site.as(eve).call(machines.listTransfers, {})).toEqual([])
    for (const action of machines.transferActions)
      expect(await refusalOf(eve, applyId, action)).toBe('TRANSFER_GONE')
    expect(await refusalOf(ann, applyId, 'accept')).toBe('TRANSFER_GONE')
    expect(await refusalOf(ben, applyId, 'withdraw')).toBe('TRANSFER_GONE')
    expect(await refusalOf(ben, 2 ** 40, 'accept')).toBe('TRANSFER_GONE')
    await answer(ben, applyId, 'accept')
    expect(await ownerOf()).toBe(ben.userId)
    expect(await stateOf(applyId)).toBe('accepted')
    expect(await refusalOf(ben, applyId, 'accept')).toBe('TRANSFER_GONE')
    expect(await site.as(ben).call(machines.listTransfers, {})).toEqual([])
    const inbox = await site.as(ben).call(messages.listMessages, { scene: 'inbox' })
    expect(JSON.stringify(inbox)).toContain(machine.code)
    expect(inbox).toMatchObject({ totalUnreadMsg: 0, list: [{ read: true, outcome: 'accepted' }] })
  })

  test('refused or withdrawn changes nothing, and its message is read and shows the result', async () => {
    const inbox = () => site.as(ben).call(messages.listMessages, { scene: 'inbox' })
    const first = await offer()
    const waiting = { read: false, mayAnswer: true, outcome: null }
    expect(await inbox()).toMatchObject({ totalUnreadMsg: 1, list: [waiting] })
    await answer(ben, first, 'refuse')
    expect(await stateOf(first)).toBe('refused')
    const refused = { read: true, mayAnswer: false, outcome: 'refused' }
    expect(await inbox()).toMatchObject({ totalUnreadMsg: 0, list: [refused] })
    const second = await offer()
    await answer(ann, second, 'withdraw')
    const withdrawn = { read: true, mayAnswer: false, outcome: 'withdrawn' }
    expect(await inbox()).toMatchObject({ totalUnreadMsg: 0, list: [withdrawn, refused] })
    expect(await refusalOf(ben, second, 'accept')).toBe('TRANSFER_GONE')
    expect(await ownerOf()).toBe(ann.userId)
  })

  test.each([
    ['PROOF_NEEDED', async () => site.proveSession(ann.sessionId, new Date(0)).then(() => ben.email)],
    ['01010304', async () => 'nobody@example.test'],
    ['TRANSFER_SELF', async () => ann.email],
    [
      'PERSON_BLACKLISTED',
      async () => site.blacklistUser(ben.userId, machine.machineId).then(() => ben.email),
    ],
    ['TRANSFER_WAITING', async () => offer().then(() => ben.email)],
  ])('is not made: %s', async (code, accountOf) => {
    const account = await accountOf()
    expect(await site.refusalOf(ann, machines.offerMachine, offerTo(account))).toBe(code)
  })

  test('only the Akey can offer a machine, and only an owner an enterprise’s device', async () => {
    const bob = await site.createHolder(machine.machineId, { role: 'bkey' })
    await site.proveSession(bob.sessionId)
    expect(await site.refusalOf(bob, machines.offerMachine, offerTo(ben.email))).toBe('403')
    const { eid, owner } = await site.createEnterprise()
    const admin = await site.createMember(eid, 'admin', [])
    const { machineId } = await site.createEnterpriseMachine(eid)
    for (const one of [owner, admin]) await site.proveSession(one.sessionId)
    const asked = { machineID: machineId, account: ben.email }
    expect(await site.refusalOf(admin, machines.offerMachine, asked)).toBe('OWNER_ONLY')
    const { applyId } = await site.as(owner).call(machines.offerMachine, asked)
    const [listed] = await site.as(ben).call(machines.listTransfers, {})
    expect(listed).toMatchObject({ applyId, from: 'Foundry North', mine: false })
    // A device that others hold is handed over as well: their rights end with it.
    await site.grantMachine(bob.userId, machineId, { role: 'visitor' })
    const held = await failureOf(site.as(owner), enterprises.removeEnterpriseMachine, { eid, id: machineId })
    expect(held.code).toBe('MACHINE_HELD')
    await answer(ben, applyId, 'accept')
    expect(await ownerOf(machineId)).toBe(ben.userId)
    const left = await site.db
      .selectFrom('enterprise_machines')
      .select('id')
      .where('machine_id', '=', machineId)
      .execute()
    expect(left).toEqual([])
  })

  test('of an enterprise’s device is over once its maker no longer owns the enterprise', async () => {
    const { eid, owner } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid)
    await site.proveSession(owner.sessionId)
    const asked = { machineID: machineId, account: ben.email }
    const { applyId } = await site.as(owner).call(machines.offerMachine, asked)
    await site.db
      .updateTable('enterprise_members')
      .set({ role: 'admin' })
      .where('user_id', '=', owner.userId)
      .execute()
    expect(await refusalOf(ben, applyId, 'accept')).toBe('TRANSFER_GONE')
    expect(await ownerOf(machineId)).toBe(null)
  })

  test('is over after a day, notified to its maker once, and makes room for the next', async () => {
    const applyId = await offer()
    await site.db
      .updateTable('machine_transfers')
      .set({ expires_at: new Date() })
      .where('id', '=', applyId)
      .execute()
    expect(await refusalOf(ben, applyId, 'accept')).toBe('TRANSFER_GONE')
    expect(await site.as(ben).call(machines.listTransfers, {})).toEqual([])
    const deps = { db: site.db, facts: site.platform.facts }
    await expireTransfers(deps, Date.now())
    await expireTransfers(deps, Date.now())
    expect(await stateOf(applyId)).toBe('expired')
    const inbox = await site.db
      .selectFrom('messages')
      .select(['user_id', 'type'])
      .where('transfer_id', '=', applyId)
      .where('type', '=', 'transferReply')
      .execute()
    expect(inbox).toEqual([{ user_id: ann.userId, type: 'transferReply' }])
    await offer()
  })

  test('accepted while it is being ended leaves the machine with the owner in the message', async () => {
    const applyId = await offer()
    const end = { state: 'expired', answered_at: new Date() }
    const accepted = await site.db.transaction().execute(
      aside(async (trx) => {
        await trx.updateTable('machine_transfers').set(end).where('id', '=', applyId).execute()
        const accepting = refusalOf(ben, applyId, 'accept').catch(() => 'accepted')
        await expect.poll(() => countBlocked(), deadline).toBeGreaterThan(0)
        return { accepting }
      }),
    )
    expect(await accepted.accepting).toBe('TRANSFER_GONE')
    expect(await ownerOf()).toBe(ann.userId)
  })

  test('is not accepted by or from an account that was locked, nor by a person blacklisted meanwhile', async () => {
    const applyId = await offer()
    const lock = (userId: number, state: 'active' | 'locked') =>
      site.db.updateTable('users').set({ state }).where('id', '=', userId).execute()
    await lock(ann.userId, 'locked')
    expect(await refusalOf(ben, applyId, 'accept')).toBe('TRANSFER_GONE')
    await lock(ann.userId, 'active')
    await site.blacklistUser(ben.userId, machine.machineId)
    expect(await refusalOf(ben, applyId, 'accept')).toBe('TRANSFER_GONE')
    expect(await ownerOf()).toBe(ann.userId)
  })

  test('is not accepted into a full list, and waits until there is room', async () => {
    const applyId = await offer()
    await sql`
      with filler as (
        insert into machines (code, type, name, secret_hash)
        select (8000000000000000000 + n)::text, 'machine', 'Filler', sha256('x')
        from generate_series(1, ${limits.machinesPerList}) n returning id)
      insert into machine_list_entries (user_id, machine_id, name)
      select ${ben.userId}, id, 'Filler' from filler`.execute(site.db)
    expect(await refusalOf(ben, applyId, 'accept')).toBe('04010115')
    expect(await ownerOf()).toBe(ann.userId)
    await sql`delete from machine_list_entries where (user_id, machine_id) in (
      select user_id, machine_id from machine_list_entries where user_id = ${ben.userId} limit 1)`.execute(
      site.db,
    )
    await answer(ben, applyId, 'accept')
    expect(await ownerOf()).toBe(ben.userId)
  })
})

describe('at the same moment', () => {
  test('accepting, taking back, deleting and accepting again have one result', async () => {
    for (let round = 0; round < 8; round++) {
      const { machineId } = await site.createMachine({ owner: ann.userId })
      machine = { ...machine, machineId }
      const applyId = await offer()
      const calls = [
        () => answer(ben, applyId, 'accept'),
        () => answer(ann, applyId, 'withdraw'),
        () => site.as(ann).call(machines.removeMachine, { delMachineID: machineId }),
        () => answer(ben, applyId, 'refuse'),
      ]
      // Each of them is the first to be sent in some round.
      const turned = [...calls.slice(round % 4), ...calls.slice(0, round % 4)]
      const done = await Promise.allSettled(turned.map((call) => call()))
      const [accepted, withdrawn, removed, refused] = calls.map(
        (call) => done[turned.indexOf(call)]?.status === 'fulfilled',
      )
      const state = await stateOf(applyId)
      const ends = [accepted && 'accepted', withdrawn && 'withdrawn', refused && 'refused'].filter(Boolean)
      // If the deletion is first, it ends the offer as well.
      expect(ends.length > 0 ? ends : ['withdrawn']).toEqual([state])
      expect(accepted || removed).toBe(true)
      expect(await ownerOf(machineId)).toBe(accepted ? ben.userId : null)
      // Deleted after it was accepted, it was only taken out of the former Akey's list.
      const listed = await site.db
        .selectFrom('machine_list_entries')
        .select('user_id')
        .where('machine_id', '=', machineId)
        .orderBy('user_id')
        .execute()
      const keep = [!removed && ann.userId, accepted && ben.userId].filter(Boolean)
      expect(listed.map((row) => row.user_id)).toEqual(keep)
    }
  })
})

test('a machine that changes hands starts anew for its next owner, and all its visits end', async () => {
  const { machineId } = machine
  const device = await startModbusDevice()
  onTestFinished(() => device.close())
  device.memory.holding.set(10, 215)
  const agent = await startTestAgent({
    mqttUrl: site.mqttUrl,
    machine,
    modbusPort: device.port,
    tagsYaml: ['- { name: temp, address: "holding:10", type: int16 }'],
  })
  onTestFinished(() => agent.stop())
  const client = site.as(ben)
  const tagsOf = async (user: TestUser) => {
    const latest = await site.as(user).call(telemetry.listLatest, { machineId })
    return latest.filter(({ value, quality }) => value === 215 && quality === 'good').map((tag) => tag.tagId)
  }
  await expect.poll(() => tagsOf(ann), deadline).toHaveLength(1)
  const former = await tagsOf(ann)
  const tunnel = await openTestTunnel(site, machine, (stream) => {
    stream.respond({ ':status': 200 })
    stream.end('page')
  })
  // The next owner was a visitor before: their visit ends with the time it was begun in.
  await site.grantMachine(ben.userId, machineId, { role: 'visitor' })
  const inside = await enterVisit(site, ben, machine)
  expect((await inside.request('/')).text).toBe('page')

  const applyId = await offer()
  await answer(ben, applyId, 'accept')
  await tunnel.closed
  const ended = async () => (await client.call(visits.listVisits, { live: false })).list
  await expect.poll(ended, deadline).toMatchObject([{ machine: { machineId }, reason: 'rightLost' }])
  await expect.poll(() => tagsOf(ben), deadline).toHaveLength(1)
  expect(await tagsOf(ben)).not.toEqual(former)
  expect(await client.call(machines.getMachineDetail, { machineID: machineId })).toMatchObject({
    online: true,
  })
})

test('an enterprise’s device that was given up begins anew, for the same enterprise too', async () => {
  const { eid, owner } = await site.createEnterprise()
  const { machineId, code } = await site.createEnterpriseMachine(eid)
  await site.platform.telemetry.append(machineId, [
    {
      kind: 'sample',
      group: '',
      tag: 'temp',
      type: 'float64',
      value: 1,
      quality: 0,
      time: Date.now(),
      late: false,
    },
  ])
  await site.as(owner).call(enterprises.removeEnterpriseMachine, { eid, id: machineId })
  const password = 'correct horse'
  await site.listMachine(ann.userId, machineId)
  const donor = await site.createMachine({ password })
  await sql`update machines set password_hash = donor.password_hash from machines donor
            where machines.id = ${machineId} and donor.id = ${donor.machineId}`.execute(site.db)
  const taken = { eid, machineCode: code, password, name: 'Oven' }
  await site.as(owner).call(enterprises.addEnterpriseMachine, taken)
  expect(await site.as(owner).call(telemetry.listTags, { machineId })).toEqual([])
  expect(await site.as(owner).call(access.listReach, { id: machineId })).toHaveLength(1)
})
