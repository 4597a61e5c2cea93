import { useDatabase } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createAccess } from '../../src/modules/access/index.ts'
import { createRightsFixture, type RightsFixture } from './rights-fixture.ts'

const database = useDatabase()
let fixture: RightsFixture
beforeAll(async () => {
  fixture = await createRightsFixture(database.db)
})

test('the machines of a person’s alarms are those that the one function about rights lets them hold', async () => {
  const { db } = database
  const access = createAccess(db)
  const now = Date.now()
  const setups = [fixture.personal, fixture.enterprise, fixture.closed]
  const machineIds = setups.map(({ machine }) => machine.machineId)
  const people = setups.flatMap((setup) =>
    Object.entries(setup.people).map(([name, { user }]) => [`${setup.name}, ${name}`, user.userId] as const),
  )
  expect(people.length).toBeGreaterThan(50)
  const found: Record<string, number[]> = {}
  const decided: Record<string, number[]> = {}
  for (const [name, userId] of people) {
    await sql`
      insert into machine_list_entries (user_id, machine_id, name)
      select ${userId}, id, name from machines where id = any(${machineIds}::bigint[])
      on conflict do nothing`.execute(db)
    const rights = await access.list(userId, machineIds, now)
    const isHeld = (id: number) => {
      const own = rights.get(id)
      return own?.rights.has('holder') || own?.memberRights.includes('alarm')
    }
    decided[name] = machineIds.filter(isHeld)
    const listed = await access.listAlarmMachines(userId, {}, now)
    const ids = listed.map(({ machineId }) => machineId)
    found[name] = machineIds.filter((id) => ids.includes(id))
    // One by its id, without any list.
    for (const id of machineIds) {
      const one = await access.listAlarmMachines(userId, { machineId: id }, now)
      expect(one.length === 1, `${name}, ${id}`).toBe(ids.includes(id))
    }
  }
  expect(found).toEqual(decided)
  expect(new Set(Object.values(decided).map(String)).size).toBeGreaterThan(3)
})

test('only members of an enterprise can query its machines', async () => {
  const access = createAccess(database.db)
  const listed = async (name: string) => {
    const user = fixture.members.get(name)
    const machines = await access.listAlarmMachines(user?.userId ?? 0, { eid: fixture.eid }, Date.now())
    return machines.map(({ machineId }) => machineId)
  }
  const { machineId } = fixture.enterprise.machine
  expect(await listed('owner')).toEqual([machineId])
  expect(await listed('view')).toEqual([machineId])
  expect(await listed('member')).toEqual([])
  expect(await listed('owner of another enterprise')).toEqual([])
})
