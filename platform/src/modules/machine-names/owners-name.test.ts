import { enterprises, machines } from '@busbar/contract'
import {
  createEnterprise,
  createMachine,
  createUser,
  grantMachine,
  listMachine,
  startTestPlatform,
  type TestMachine,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { up } from '../../kernel/database/migrations/0012-shared-names.ts'
import { listNames } from './index.ts'

const model = 'HX-1'
const password = 'label 4711'
const hourMs = 3_600_000

let site: TestPlatform
beforeAll(async () => {
  site = await startTestPlatform()
})
afterAll(() => site.stop())

async function createImported(owner?: TestUser): Promise<TestMachine> {
  const owned = owner ? { owner: owner.userId } : {}
  const machine = await createMachine(site.db, { name: model, password, ...owned })
  await sql`update machines set model = ${model} where id = ${machine.machineId}`.execute(site.db)
  return machine
}

async function readAs({ userId }: TestUser, { machineId }: TestMachine): Promise<string | undefined> {
  return (await listNames(site.db, userId, [machineId])).get(machineId)
}

async function addAs(owner: TestUser, machine: TestMachine, machineName: string): Promise<void> {
  const wish = { machineCode: machine.code, machineName, machinePwd: password }
  await site.as(owner).call(machines.addMachine, wish)
}

test('a visitor reads the name the first owner gave an imported machine, in place of its model', async () => {
  const [owner, visitor] = [await createUser(site.db), await createUser(site.db)]
  const machine = await createImported()
  await addAs(owner, machine, '3#泵 (东)')
  await grantMachine(site.db, visitor.userId, machine.machineId, { role: 'visitor' })
  await sql`delete from machine_list_entries where user_id = ${visitor.userId}`.execute(site.db)
  expect(await readAs(visitor, machine)).toBe('3#泵 (东)')
})

test('a later person who adds it names only their own entry', async () => {
  const [owner, other, visitor] = [
    await createUser(site.db),
    await createUser(site.db),
    await createUser(site.db),
  ]
  const machine = await createImported()
  await addAs(owner, machine, 'Press 7')
  await addAs(other, machine, 'Far press')
  expect([await readAs(other, machine), await readAs(visitor, machine)]).toEqual(['Far press', 'Press 7'])
})

test('an enterprise that is let in has the machine under its owner’s name', async () => {
  const [owner, builder] = [await createUser(site.db), await createEnterprise(site.db)]
  const machine = await createImported()
  await addAs(owner, machine, 'Press 7')
  await site.as(owner).call(machines.updateMachine, {
    updateMachineID: machine.machineId,
    updateMachineCode: machine.code,
    updateMachineName: 'Press 8',
  })
  const start = Date.now() - hourMs
  const window = { start, stop: start + 10 * hourMs, scopes: ['view' as const], reason: 'Service' }
  const asked = { eid: builder.eid, machineCode: machine.code, ...window }
  const { id } = await site.as(builder.owner).call(enterprises.requestMaintenance, asked)
  await site.as(owner).call(enterprises.answerMaintenance, { id, action: 'accept' })
  expect(await readAs(builder.owner, machine)).toBe('Press 8')
})

test('an upgrade names what an import named by its model as the owner does, and leaves chosen names', async () => {
  const [owner, visitor, chooser] = [
    await createUser(site.db),
    await createUser(site.db),
    await createUser(site.db),
  ]
  const machine = await createImported(owner)
  const builder = await createEnterprise(site.db)
  await site.db
    .insertInto('enterprise_machines')
    .values({
      enterprise_id: builder.eid,
      machine_id: machine.machineId,
      kind: 'maintained',
      name: model,
      added_at: new Date(),
    })
    .execute()
  await listMachine(site.db, visitor.userId, machine.machineId, model)
  await listMachine(site.db, chooser.userId, machine.machineId, model)
  await sql`update machine_list_entries set is_named = user_id <> ${visitor.userId},
      name = case when user_id = ${owner.userId} then 'Press 7' else name end
    where machine_id = ${machine.machineId}`.execute(site.db)
  await up(site.db as unknown as Kysely<unknown>)
  expect([
    await readAs(visitor, machine),
    await readAs(chooser, machine),
    await readAs(builder.owner, machine),
    await readAs(await createUser(site.db), machine),
  ]).toEqual(['Press 7', model, 'Press 7', 'Press 7'])
})
