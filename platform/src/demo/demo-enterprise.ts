import { randomBytes } from 'node:crypto'
import type { enterprises as contract, Lang, MemberRight } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'
import { recordRightChange } from '../kernel/rights/right-changes.ts'
import { hashPassword } from '../modules/accounts/index.ts'
import {
  colleagues,
  customerAccount,
  demoTexts,
  deviceGroups,
  emailOf,
  serviceAccount,
} from './demo-texts.ts'

/* The enterprise of each of the demo's two accounts. */

const maintained = 'water-treatment'
/** A machine of the demo account's own that others ask to maintain. */
const asked = 'injection-press'

const dayMs = 86_400_000

/** The rows of one account's demo that are there already. */
export interface DemoPlant {
  /** In which its owner reads. */
  readonly lang: Lang
  readonly ownerId: number
  readonly machineIds: ReadonlyMap<string, number>
  /** Epoch milliseconds. */
  readonly madeAt: number
}

/**
 * Creates the enterprise of a demo account: people, groups, teams, own devices, a customer's device that it maintains,
 * and another enterprise that asks to maintain one of the account's. Skipped if the account has an enterprise.
 */
export async function createDemoEnterprise(trx: Transaction<DB>, plant: DemoPlant): Promise<void> {
  const { lang, ownerId, machineIds, madeAt } = plant
  const texts = demoTexts[lang]
  const known = await trx
    .selectFrom('enterprise_members')
    .select('enterprise_id')
    .where('user_id', '=', ownerId)
    .executeTakeFirst()
  const wanted = [...Object.keys(deviceGroups), maintained, asked]
  if (known || wanted.some((trade) => !machineIds.has(trade))) return
  const machineOf = (trade: string) => machineIds.get(trade) ?? 0

  const userIds = await createPeople(trx, plant)
  const userOf = (account: string) => userIds.get(account) ?? 0
  const eid = await createEnterprise(trx, texts.enterprise, madeAt)
  await createMembers(trx, eid, [
    { userId: ownerId, role: 'owner', rights: [] },
    ...colleagues.map(({ account, role, rights }) => ({ userId: userOf(account), role, rights })),
  ])
  await createDevices(trx, eid, plant)
  await moveToCustomer(trx, machineOf(maintained), userOf(customerAccount), ownerId)
  await createWindow(trx, {
    eid,
    machineId: machineOf(maintained),
    requestedBy: userOf('zhao.min'),
    from: madeAt - dayMs,
    until: madeAt + 30 * dayMs,
    reason: texts.reasons.check,
    answeredBy: userOf(customerAccount),
  })
  await createTeam(trx, eid, {
    name: texts.teams.manage,
    kind: 'manage',
    userIds: [userOf('wang.lei')],
    machineIds: Object.keys(deviceGroups).map(machineOf),
  })
  await createTeam(trx, eid, {
    name: texts.teams.maintain,
    kind: 'maintain',
    userIds: [userOf('zhao.min')],
    machineIds: [machineOf(maintained)],
  })

  const other = await createEnterprise(trx, texts.service, madeAt)
  await createMembers(trx, other, [{ userId: userOf(serviceAccount), role: 'owner', rights: [] }])
  await createWindow(trx, {
    eid: other,
    machineId: machineOf(asked),
    requestedBy: userOf(serviceAccount),
    from: madeAt + dayMs,
    until: madeAt + 2 * dayMs,
    reason: texts.reasons.screw,
  })
}

/** Everybody but the demo account, by account. */
async function createPeople(trx: Transaction<DB>, { lang, madeAt }: DemoPlant): Promise<Map<string, number>> {
  // A password that is not kept, because no person signs in as one of them.
  const passwordHash = await hashPassword(randomBytes(32).toString('base64'), 'known')
  const people = Object.entries(demoTexts[lang].people)
  const rows = await trx
    .insertInto('users')
    .values(
      people.map(([account, name]) => ({
        name,
        lang,
        email: emailOf(account, lang),
        password_hash: passwordHash,
        email_verified_at: new Date(madeAt),
      })),
    )
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ password_hash: passwordHash }))
    .returning(['id', 'email'])
    .execute()
  const idOf = new Map(rows.map(({ id, email }) => [email, id]))
  return new Map(people.map(([account]) => [account, idOf.get(emailOf(account, lang)) ?? 0]))
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

/** The enterprise gets the demo account's machines. */
async function createDevices(trx: Transaction<DB>, eid: number, plant: DemoPlant): Promise<void> {
  const { lang, machineIds, madeAt } = plant
  const texts = demoTexts[lang]
  const rows = await trx
    .insertInto('enterprise_groups')
    .values(Object.values(texts.groups).map((name) => ({ enterprise_id: eid, name })))
    .returning(['id', 'name'])
    .execute()
  const groupIds = new Map(rows.map(({ id, name }) => [name, id]))
  for (const [trade, group] of Object.entries(deviceGroups) as [
    keyof typeof deviceGroups,
    'air' | 'machining',
  ][]) {
    const machineId = machineIds.get(trade) ?? 0
    await trx
      .updateTable('machines')
      .set({ owner_user_id: null, owner_enterprise_id: eid })
      .where('id', '=', machineId)
      .execute()
    // They own it with the enterprise: a personal grant would keep them from giving it up.
    await trx.deleteFrom('machine_grants').where('machine_id', '=', machineId).execute()
    await createDevice(trx, {
      eid,
      machineId,
      kind: 'owned',
      name: texts.devices[trade],
      madeAt,
      groupId: groupIds.get(texts.groups[group]),
    })
    await recordRightChange(trx, { machineId, reason: 'added' })
  }
  await createDevice(trx, {
    eid,
    machineId: machineIds.get(maintained) ?? 0,
    kind: 'maintained',
    name: texts.devices[maintained],
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
