import { randomBytes } from 'node:crypto'
import type { enterprises as contract, MemberRight } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'
import { recordRightChange } from '../kernel/rights/right-changes.ts'
import { hashPassword } from '../modules/accounts/index.ts'

/* The demo's enterprise. Its names are read by people of both languages: one name for both. */

interface Colleague {
  readonly name: string
  readonly account: string
  readonly role: contract.EnterpriseRole
  readonly rights: readonly MemberRight[]
}

const enterpriseName = '昆山精密 Kunshan Works'
const colleagues = [
  { name: '陈静 Chen Jing', account: 'chen.jing', role: 'admin', rights: [] },
  { name: '王磊 Wang Lei', account: 'wang.lei', role: 'member', rights: ['view', 'control', 'manage'] },
  { name: '赵敏 Zhao Min', account: 'zhao.min', role: 'member', rights: ['view', 'maintain'] },
  { name: '孙浩 Sun Hao', account: 'sun.hao', role: 'member', rights: ['view'] },
] as const satisfies Colleague[]
const groups = { machining: '加工 CNC', air: '动力 Air' }
const devices = [
  { trade: 'machining-centre', name: '五轴加工中心 5-axis 03', group: 'machining' },
  { trade: 'cnc-lathe', name: '数控车床 Lathe 11', group: 'machining' },
  { trade: 'screw-compressor', name: '螺杆空压机 Compressor', group: 'air' },
] as const
const customer = { name: '周敏 Zhou Min', account: 'zhou.min' }
const maintained = { trade: 'water-treatment', name: '净水站 Water plant 1' }
/** Asks to maintain a machine of the demo account's own. */
const service = { name: '海宁机电 Haining Service', person: '林峰 Lin Feng', account: 'lin.feng' }
const asked = 'injection-press'

const dayMs = 86_400_000

/** The rows of the demo that are there already. */
export interface DemoPlant {
  /** The two demo people: both own the enterprise. */
  readonly people: { readonly en: number; readonly cn: number }
  readonly machineIds: ReadonlyMap<string, number>
  /** Epoch milliseconds. */
  readonly madeAt: number
}

/**
 * Makes the demo's enterprise: people, groups, teams, devices of its own, a customer's device it maintains, and another
 * enterprise that asks to maintain one of the demo account's. Skipped where the demo account has an enterprise.
 */
export async function createDemoEnterprise(trx: Transaction<DB>, plant: DemoPlant): Promise<void> {
  const { people, machineIds } = plant
  const known = await trx
    .selectFrom('enterprise_members')
    .select('enterprise_id')
    .where('user_id', 'in', [people.en, people.cn])
    .executeTakeFirst()
  const wanted = [...devices.map(({ trade }) => trade), maintained.trade, asked]
  if (known || wanted.some((trade) => !machineIds.has(trade))) return
  const machineOf = (trade: string) => machineIds.get(trade) ?? 0

  const userIds = await createPeople(trx, plant)
  const userOf = (account: string) => userIds.get(account) ?? 0
  const eid = await createEnterprise(trx, enterpriseName, plant.madeAt)
  const members: { userId: number; role: contract.EnterpriseRole; rights: readonly MemberRight[] }[] = [
    { userId: people.en, role: 'owner', rights: [] },
    { userId: people.cn, role: 'owner', rights: [] },
    ...colleagues.map(({ account, role, rights }) => ({ userId: userOf(account), role, rights })),
  ]
  await createMembers(trx, eid, members)
  await createDevices(trx, eid, plant)
  await moveToCustomer(trx, machineOf(maintained.trade), userOf(customer.account), people.en)
  await createWindow(trx, {
    eid,
    machineId: machineOf(maintained.trade),
    requestedBy: userOf('zhao.min'),
    from: plant.madeAt - dayMs,
    until: plant.madeAt + 30 * dayMs,
    reason: '季度检修 quarterly check',
    answeredBy: userOf(customer.account),
  })
  await createTeam(trx, eid, {
    name: '机加组 Machining',
    kind: 'manage',
    userIds: [userOf('wang.lei')],
    machineIds: devices.map(({ trade }) => machineOf(trade)),
  })
  await createTeam(trx, eid, {
    name: '外勤组 Field',
    kind: 'maintain',
    userIds: [userOf('zhao.min')],
    machineIds: [machineOf(maintained.trade)],
  })

  const other = await createEnterprise(trx, service.name, plant.madeAt)
  await createMembers(trx, other, [{ userId: userOf(service.account), role: 'owner', rights: [] }])
  await createWindow(trx, {
    eid: other,
    machineId: machineOf(asked),
    requestedBy: userOf(service.account),
    from: plant.madeAt + dayMs,
    until: plant.madeAt + 2 * dayMs,
    reason: '更换螺杆 new screw',
  })
}

/** Everybody but the two demo people, by account. */
async function createPeople(trx: Transaction<DB>, { madeAt }: DemoPlant): Promise<Map<string, number>> {
  // A password that is not kept, because no person signs in as one of them.
  const passwordHash = await hashPassword(randomBytes(32).toString('base64'), 'known')
  const people = [...colleagues, customer, { name: service.person, account: service.account }]
  const emailOf = (account: string) => `${account}@busbar.local`
  const rows = await trx
    .insertInto('users')
    .values(
      people.map(({ name, account }) => ({
        name,
        email: emailOf(account),
        password_hash: passwordHash,
        email_verified_at: new Date(madeAt),
      })),
    )
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ password_hash: passwordHash }))
    .returning(['id', 'email'])
    .execute()
  const idOf = new Map(rows.map(({ id, email }) => [email, id]))
  return new Map(people.map(({ account }) => [account, idOf.get(emailOf(account)) ?? 0]))
}

async function createEnterprise(trx: Transaction<DB>, name: string, madeAt: number): Promise<number> {
  const { id } = await trx
    .insertInto('enterprises')
    .values({ name, created_at: new Date(madeAt) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function createMembers(
  trx: Transaction<DB>,
  eid: number,
  members: readonly { userId: number; role: string; rights: readonly MemberRight[] }[],
): Promise<void> {
  const rows = members.map(({ userId, role, rights }) => ({
    enterprise_id: eid,
    user_id: userId,
    role,
    rights: [...rights],
  }))
  await trx.insertInto('enterprise_members').values(rows).execute()
}

/** The enterprise owns what the demo account owned. */
async function createDevices(trx: Transaction<DB>, eid: number, plant: DemoPlant): Promise<void> {
  const { machineIds, madeAt } = plant
  const rows = await trx
    .insertInto('enterprise_groups')
    .values(Object.values(groups).map((name) => ({ enterprise_id: eid, name })))
    .returning(['id', 'name'])
    .execute()
  const groupIds = new Map(rows.map(({ id, name }) => [name, id]))
  for (const { trade, name, group } of devices) {
    const machineId = machineIds.get(trade) ?? 0
    await trx
      .updateTable('machines')
      .set({ owner_user_id: null, owner_enterprise_id: eid })
      .where('id', '=', machineId)
      .execute()
    // They own it with the enterprise: a key of their own would only be in the way of giving it up.
    await trx.deleteFrom('machine_grants').where('machine_id', '=', machineId).execute()
    await createDevice(trx, {
      eid,
      machineId,
      kind: 'owned',
      name,
      madeAt,
      groupId: groupIds.get(groups[group]),
    })
    await recordRightChange(trx, { machineId, reason: 'added' })
  }
  await createDevice(trx, {
    eid,
    machineId: machineIds.get(maintained.trade) ?? 0,
    kind: 'maintained',
    name: maintained.name,
    madeAt,
  })
}

async function createDevice(
  trx: Transaction<DB>,
  device: {
    eid: number
    machineId: number
    kind: 'owned' | 'maintained'
    name: string
    madeAt: number
    groupId?: number | undefined
  },
): Promise<void> {
  await trx
    .insertInto('enterprise_machines')
    .values({
      enterprise_id: device.eid,
      machine_id: device.machineId,
      kind: device.kind,
      name: device.name,
      group_id: device.groupId ?? null,
      added_at: new Date(device.madeAt),
    })
    .execute()
}

/** A customer's machine: the demo account keeps a key of it. */
async function moveToCustomer(
  trx: Transaction<DB>,
  machineId: number,
  ownerId: number,
  keyId: number,
): Promise<void> {
  await trx.updateTable('machines').set({ owner_user_id: ownerId }).where('id', '=', machineId).execute()
  await trx
    .insertInto('machine_grants')
    .values({ user_id: keyId, machine_id: machineId, role: 'bkey' })
    .execute()
  await recordRightChange(trx, { machineId, reason: 'added' })
}

async function createWindow(
  trx: Transaction<DB>,
  window: {
    eid: number
    machineId: number
    requestedBy: number
    from: number
    until: number
    reason: string
    /** The person who consented; left out where the request waits. */
    answeredBy?: number
  },
): Promise<void> {
  const { answeredBy } = window
  const at = new Date(Math.min(window.from, Date.now()))
  await trx
    .insertInto('maintenance_windows')
    .values({
      enterprise_id: window.eid,
      machine_id: window.machineId,
      requested_by: window.requestedBy,
      start_at: new Date(window.from),
      stop_at: new Date(window.until),
      scopes: ['view', 'control'],
      reason: window.reason,
      created_at: at,
      ...(answeredBy === undefined ? {} : { state: 'accepted', answered_by: answeredBy, answered_at: at }),
    })
    .execute()
}

async function createTeam(
  trx: Transaction<DB>,
  eid: number,
  team: { name: string; kind: contract.TeamKind; userIds: readonly number[]; machineIds: readonly number[] },
): Promise<void> {
  const { id } = await trx
    .insertInto('enterprise_teams')
    .values({ enterprise_id: eid, name: team.name, kind: team.kind })
    .returning('id')
    .executeTakeFirstOrThrow()
  const own = { team_id: id, enterprise_id: eid }
  await trx
    .insertInto('enterprise_team_members')
    .values(team.userIds.map((userId) => ({ ...own, user_id: userId })))
    .execute()
  await trx
    .insertInto('enterprise_team_machines')
    .values(team.machineIds.map((machineId) => ({ ...own, machine_id: machineId })))
    .execute()
}
