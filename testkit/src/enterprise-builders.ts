import type { enterprises, MemberRight } from '@busbar/contract'
import type { Database } from '@busbar/platform/database/database.ts'
import { createMachine, createUser, type TestMachine, type TestUser } from './builders.ts'

/** An enterprise of a test with its owner, signed in. */
export interface TestEnterprise {
  readonly eid: number
  readonly owner: TestUser
}

/** Makes an enterprise and somebody who owns it. */
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
