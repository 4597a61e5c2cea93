import { enterprises, limits, machines, messages } from '@busbar/contract'
import {
  aside,
  enterVisit,
  failureOf,
  openTestTunnel,
  type TestEnterprise,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

const site = useSite()
let ann: TestUser
let space: TestEnterprise
let manager: TestUser
let machine: TestMachine

beforeEach(async () => {
  ann = await site.createUser({ name: 'Ann' })
  space = await site.createEnterprise()
  manager = await site.createMember(space.eid, 'member', ['manage'])
  machine = await site.createMachine({ owner: ann.userId, name: 'Press' })
  await site.proveSession(ann.sessionId)
})

const offer = async (eid = space.eid, from = ann, { machineId } = machine) =>
  (await site.as(from).call(machines.offerMachine, { machineID: machineId, eid })).applyId
const offerFailure = async (request: { eid?: number; userId?: number; account?: string }) =>
  failureOf(site.as(ann), machines.offerMachine, { machineID: machine.machineId, ...request })
const answer = (user: TestUser, applyId: number, action: machines.TransferAction) =>
  site.as(user).call(machines.answerTransfer, { applyId, action })
const refusalOf = async (user: TestUser, applyId: number, action: machines.TransferAction) =>
  await site.refusalOf(user, machines.answerTransfer, { applyId, action })
const openOf = (user: TestUser) => site.as(user).call(machines.listTransfers, {})
const setSpace = (state: 'active' | 'locked' | 'leaving') =>
  site.db
    .updateTable('enterprises')
    .set({ state, leaves_at: state === 'leaving' ? new Date(Date.now() + 60_000) : null })
    .where('id', '=', space.eid)
    .execute()
const ownerOf = async ({ machineId } = machine) =>
  site.db
    .selectFrom('machines')
    .select(['owner_user_id as userId', 'owner_enterprise_id as eid'])
    .where('id', '=', machineId)
    .executeTakeFirstOrThrow()
const deviceNamesOf = async (eid: number) => {
  const rows = await site.db
    .selectFrom('enterprise_machines')
    .select('name')
    .where('enterprise_id', '=', eid)
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}
const inboxOf = async (user: TestUser) =>
  (await site.as(user).call(messages.listMessages, { scene: 'inbox' })).list.filter(
    ({ type }) => type === 'transfer',
  )

test('an offer needs either a person or an enterprise', async () => {
  const ben = await site.createUser()
  expect((await offerFailure({})).http).toBe(400)
  expect((await offerFailure({ eid: space.eid, account: ben.email })).http).toBe(400)
  expect((await offerFailure({ eid: space.eid, userId: ben.userId })).http).toBe(400)
})

test('an enterprise that is unknown, locked or leaving is answered alike', async () => {
  const unknown = await offerFailure({ eid: 2 ** 40 })
  expect(unknown.code).toBe('ENTERPRISE_UNKNOWN')
  for (const state of ['locked', 'leaving'] as const) {
    await setSpace(state)
    expect((await offerFailure({ eid: space.eid })).message).toBe(unknown.message)
  }
})

test('a giver from outside does not learn the enterprise’s name before it accepts', async () => {
  const applyId = await offer()
  const [made] = await openOf(ann)
  expect(made).toMatchObject({ to: `#${space.eid}`, toEid: space.eid, mine: true, mayAnswer: false })
  await answer(manager, applyId, 'refuse')
  const sent = async () => (await site.as(ann).call(messages.listMessages, { scene: 'sent' })).list[0]?.body
  expect(await sent()).toContain(`#${space.eid}`)
  expect(await sent()).not.toContain('Foundry North')
  await answer(manager, await offer(), 'accept')
  expect(await sent()).toContain('Foundry North')
})

test('only the managers of the enterprise’s devices see and answer an offer', async () => {
  const viewer = await site.createMember(space.eid, 'member', ['view', 'control', 'maintain'])
  const { owner: stranger } = await site.createEnterprise()
  const applyId = await offer()
  for (const user of [viewer, stranger]) {
    expect(await openOf(user)).toEqual([])
    expect(await inboxOf(user)).toEqual([])
    for (const action of machines.transferActions)
      expect(await refusalOf(user, applyId, action)).toBe('TRANSFER_GONE')
  }
  expect(await refusalOf(ann, applyId, 'accept')).toBe('TRANSFER_GONE')
  expect(await refusalOf(manager, applyId, 'withdraw')).toBe('TRANSFER_GONE')
  for (const user of [manager, space.owner]) {
    expect(await openOf(user)).toMatchObject([{ applyId, from: 'Ann', to: 'Foundry North', mayAnswer: true }])
    expect(await inboxOf(user)).toMatchObject([{ transferId: applyId, mayAnswer: true }])
  }
  await answer(manager, applyId, 'accept')
  expect(await ownerOf()).toEqual({ userId: null, eid: space.eid })
  expect(await inboxOf(space.owner)).toMatchObject([{ transferId: applyId, mayAnswer: false }])
})

test('an accepted machine is a device under the giver’s name, numbered where that is taken', async () => {
  await site.createEnterpriseMachine(space.eid, { name: 'PRESS' })
  await sql`update machine_list_entries set name = 'Press' where user_id = ${ann.userId}`.execute(site.db)
  await answer(manager, await offer(), 'accept')
  expect(await deviceNamesOf(space.eid)).toEqual(['PRESS', 'Press (2)'])
  const devices = await site
    .as(space.owner)
    .call(enterprises.listEnterpriseDevices, { eid: space.eid, type: 1 })
  expect(JSON.stringify(devices)).toContain('"Press (2)"')
})

test('the former owner’s grants, visit and own right end with the acceptance', async () => {
  const bob = await site.createHolder(machine.machineId, { role: 'visitor' })
  const tunnel = await openTestTunnel(site, machine, (stream) => {
    stream.respond({ ':status': 200 })
    stream.end('page')
  })
  const inside = await enterVisit(site, bob, machine)
  expect((await inside.request('/')).text).toBe('page')
  await answer(manager, await offer(), 'accept')
  await tunnel.closed
  for (const user of [ann, bob]) {
    const right = await failureOf(site.as(user), machines.offerMachine, {
      machineID: machine.machineId,
      eid: space.eid,
    })
    expect(right.code).toBe('403')
  }
  const grants = await site.db
    .selectFrom('machine_grants')
    .select('id')
    .where('machine_id', '=', machine.machineId)
    .execute()
  expect(grants).toEqual([])
})

test('a machine the enterprise maintained becomes its own once, without the old window', async () => {
  await site.db
    .insertInto('enterprise_machines')
    .values({
      enterprise_id: space.eid,
      machine_id: machine.machineId,
      kind: 'maintained',
      name: 'Customer press',
      added_at: new Date(),
    })
    .execute()
  await answer(manager, await offer(), 'accept')
  expect(await deviceNamesOf(space.eid)).toEqual(['Press'])
})

test('an owner hands a device to another enterprise, and an admin does not', async () => {
  const from = await site.createEnterprise('Foundry South')
  const admin = await site.createMember(from.eid, 'admin')
  const device = await site.createEnterpriseMachine(from.eid, { name: 'Oven' })
  for (const user of [from.owner, admin]) await site.proveSession(user.sessionId)
  const request = { machineID: device.machineId, eid: space.eid }
  expect(await site.refusalOf(admin, machines.offerMachine, request)).toBe('OWNER_ONLY')
  const self = { ...request, eid: from.eid }
  expect(await site.refusalOf(from.owner, machines.offerMachine, self)).toBe('TRANSFER_SELF')
  const applyId = await offer(space.eid, from.owner, device)
  const [message] = (await site.as(manager, 'en').call(messages.listMessages, { scene: 'inbox' })).list
  expect(message?.body).toContain('“Oven” of the enterprise “Foundry South”')
  await answer(manager, applyId, 'accept')
  expect(await ownerOf(device)).toEqual({ userId: null, eid: space.eid })
  expect([await deviceNamesOf(from.eid), await deviceNamesOf(space.eid)]).toEqual([[], ['Oven']])
})

test('an offer is not accepted once the enterprise is locked or leaving, and makes room for the next', async () => {
  for (const state of ['locked', 'leaving'] as const) {
    await setSpace('active')
    const applyId = await offer()
    await setSpace(state)
    expect(await refusalOf(manager, applyId, 'accept')).toBe('TRANSFER_GONE')
    expect(await openOf(ann)).toEqual([])
    const other = await site.createEnterprise()
    await answer(ann, await offer(other.eid), 'withdraw')
  }
  expect(await ownerOf()).toEqual({ userId: ann.userId, eid: null })
})

test('a manager who loses the right, or leaves, at the same moment cannot accept', async () => {
  for (const lose of [
    sql`update enterprise_members set rights = '{view}' where user_id = ${manager.userId}`,
    sql`delete from enterprise_members where user_id = ${manager.userId}`,
  ]) {
    const applyId = await offer()
    const accepted = await site.db.transaction().execute(
      aside(async (trx) => {
        await sql`select id from enterprises where id = ${space.eid} for no key update`.execute(trx)
        const accepting = refusalOf(manager, applyId, 'accept').catch(() => 'accepted')
        await expect
          .poll(async () => {
            const { rows } = await sql<{ count: number }>`
            select count(*)::int as count from pg_stat_activity
            where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(site.db)
            return rows[0]?.count
          })
          .toBeGreaterThan(0)
        await lose.execute(trx)
        return { accepting }
      }),
    )
    expect(await accepted.accepting).toBe('TRANSFER_GONE')
    await answer(ann, applyId, 'withdraw')
  }
})

test('two managers who accept at once, and the giver who withdraws, have one result', async () => {
  for (let round = 0; round < 6; round++) {
    machine = await site.createMachine({ owner: ann.userId })
    const applyId = await offer()
    const calls = [
      () => answer(manager, applyId, 'accept'),
      () => answer(space.owner, applyId, 'accept'),
      () => answer(ann, applyId, 'withdraw'),
    ]
    const turned = [...calls.slice(round % 3), ...calls.slice(0, round % 3)]
    const done = await Promise.allSettled(turned.map((call) => call()))
    const held = turned.filter((_, place) => done[place]?.status === 'fulfilled')
    expect(held).toHaveLength(1)
    const isWithdrawn = held[0] === calls[2]
    expect((await ownerOf()).eid).toBe(isWithdrawn ? null : space.eid)
  }
})

test('an enterprise with as many devices as it may have accepts no further one', async () => {
  const applyId = await offer()
  await sql`
    with filler as (
      insert into machines (code, type, name, secret_hash, owner_enterprise_id)
      select (7000000000000000000 + n)::text, 'machine', 'Filler', sha256('x'), ${space.eid}
      from generate_series(1, ${limits.machinesPerList}) n returning id)
    insert into enterprise_machines (enterprise_id, machine_id, kind, name, added_at)
    select ${space.eid}, id, 'owned', 'Filler', now() from filler`.execute(site.db)
  expect(await refusalOf(manager, applyId, 'accept')).toBe('04010115')
  expect(await ownerOf()).toEqual({ userId: ann.userId, eid: null })
})
