import { access, enterprises, machines } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

/** Part of every name that a person gives here. */
const mark = 'Zeltinger'

const site = useSite()

async function kindsWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select distinct kind from facts where strpos(facts::text, ${text}) > 0
    union select fact->>'kind' from facts_set_aside where strpos(fact::text, ${text}) > 0
    order by 1`.execute(site.db)
  return rows.map(({ kind }) => kind)
}

const countFacts = async (kinds: readonly string[]): Promise<number> => {
  const rows = await site.db
    .selectFrom('facts')
    .select('kind')
    .distinct()
    .where(sql<boolean>`kind = any(${[...kinds]}::text[])`)
    .execute()
  return rows.length
}

/** Gives a name to all that has one. */
async function nameAll(person: TestUser, other: TestUser): Promise<void> {
  const call = site.as(person)
  const { eid } = await call.call(enterprises.createEnterprise, { name: `${mark} Works` })
  await call.call(enterprises.updateEnterprise, { eid, platformName: `${mark} Cloud` })
  await call.call(enterprises.inviteMember, { eid, account: other.email, role: 'member', rights: [] })
  await call.call(enterprises.createTeam, {
    ...{ eid, kind: 'maintain', name: `${mark} team` },
    memberIds: [],
    machineIds: [],
  })
  const group = await call.call(enterprises.createGroup, { eid, name: `${mark} hall` })
  await call.call(enterprises.updateGroup, { eid, id: group.id, name: `${mark} yard` })
  const free = await site.createMachine({ password: 'label 4711' })
  await call.call(enterprises.addEnterpriseMachine, {
    ...{ eid, machineCode: free.code, password: 'label 4711', name: `${mark} oven` },
  })
  await call.call(enterprises.updateEnterpriseMachine, { eid, id: free.machineId, name: `${mark} kiln` })
  const own = await site.createMachine({ owner: person.userId })
  await call.call(access.updateMachineInfo, { machineCode: own.code, machineName: `${mark} press` })
  await site.proveSession(person.sessionId)
  await call.call(machines.offerMachine, { machineID: own.machineId, eid })
}

test('a name that a person gives is in no fact, so that none outlives the erasure of the person', async () => {
  const [person, other] = [await site.createUser(), await site.createUser()]
  await nameAll(person, other)
  const named = [
    ...[
      'enterprise.made',
      'enterprise.changed',
      'invitation.sent',
      'team.made',
      'group.made',
      'group.renamed',
    ],
    ...['device.added', 'device.changed', 'machine.renamed', 'transfer.offered'],
  ]
  expect(await countFacts(named)).toBe(named.length)
  expect(await kindsWith(mark)).toEqual([])
  // The audit log keeps the names.
  const { rows } = await sql<{ action: string }>`
    select action from audit_entries where strpos(audit_entries::text, ${mark}) > 0`.execute(site.db)
  expect(rows.map(({ action }) => action)).toContain('machine.name')
})
