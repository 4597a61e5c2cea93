import { randomUUID } from 'node:crypto'
import type { enterprises, MemberRight } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, type TestMachine, type TestUser } from './builders.ts'

/** An enterprise of a test with its owner, signed in. */
export interface TestEnterprise {
  readonly eid: number
  readonly owner: TestUser
}

/** Creates an enterprise and its owner. */
export async function createEnterprise(db: Database, name = 'Foundry North'): Promise<TestEnterprise> {
  const { id } = await db.insertInto('enterprises').values({ name }).returning('id').executeTakeFirstOrThrow()
  const owner = await createMember(db, id, 'owner')
  return { eid: id, owner }
}

/** Makes a person, signed in, who belongs to an enterprise. */
export async function createMember(
  db: Database,
  eid: number,
  role: enterprises.EnterpriseRole = 'member',
  rights: readonly MemberRight[] = [],
): Promise<TestUser> {
  const user = await createUser(db)
  await db
    .insertInto('enterprise_members')
    .values({ enterprise_id: eid, user_id: user.userId, role, rights: [...rights] })
    .execute()
  return user
}

/** Makes a machine an enterprise owns, and its record of it. */
export async function createEnterpriseMachine(
  db: Database,
  eid: number,
  overrides: { name?: string } = {},
): Promise<TestMachine> {
  const machine = await createMachine(db, overrides)
  await db
    .updateTable('machines')
    .set({ owner_enterprise_id: eid })
    .where('id', '=', machine.machineId)
    .execute()
  await db
    .insertInto('enterprise_machines')
    .values({
      enterprise_id: eid,
      machine_id: machine.machineId,
      kind: 'owned',
      name: overrides.name ?? 'Oven',
      added_at: new Date(),
    })
    .execute()
  return machine
}

/** Lets an enterprise maintain a machine, in a window its owner accepted; returns the window's id. */
export async function openWindow(
  db: Database,
  window: {
    eid: number
    machineId: number
    /** Epoch milliseconds; an hour ago and in an hour by default. */
    start?: number
    /** Null: no end. */
    stop?: number | null
    scopes?: readonly enterprises.MaintenanceScope[]
  },
): Promise<number> {
  const hourMs = 3_600_000
  const at = new Date()
  const { owner } = await db
    .selectFrom('enterprise_members')
    .select('user_id as owner')
    .where('enterprise_id', '=', window.eid)
    .where('role', '=', 'owner')
    .limit(1)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('enterprise_machines')
    .values({
      enterprise_id: window.eid,
      machine_id: window.machineId,
      kind: 'maintained',
      name: 'Customer',
      added_at: at,
    })
    .onConflict((conflict) => conflict.columns(['enterprise_id', 'machine_id']).doNothing())
    .execute()
  const { id } = await db
    .insertInto('maintenance_windows')
    .values({
      enterprise_id: window.eid,
      machine_id: window.machineId,
      requested_by: owner,
      start_at: new Date(window.start ?? at.getTime() - hourMs),
      stop_at: window.stop === null ? null : new Date(window.stop ?? at.getTime() + hourMs),
      scopes: [...(window.scopes ?? (['view', 'control'] as const))],
      reason: 'yearly check',
      state: 'accepted',
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Makes a team of an enterprise with its people and machines; returns its id. */
export async function createTeam(
  db: Database,
  team: {
    eid: number
    kind: enterprises.TeamKind
    name?: string
    memberIds?: readonly number[]
    machineIds?: readonly number[]
  },
): Promise<number> {
  const { id } = await db
    .insertInto('enterprise_teams')
    .values({ enterprise_id: team.eid, kind: team.kind, name: team.name ?? `Team ${randomUUID()}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ofTeam = { team_id: id, enterprise_id: team.eid }
  for (const user_id of team.memberIds ?? [])
    await db
      .insertInto('enterprise_team_members')
      .values({ ...ofTeam, user_id })
      .execute()
  for (const machine_id of team.machineIds ?? [])
    await db
      .insertInto('enterprise_team_machines')
      .values({ ...ofTeam, machine_id })
      .execute()
  return id
}
