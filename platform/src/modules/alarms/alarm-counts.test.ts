import { alarms, machines } from '@busbar/contract'
import { createMachine, createUser, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

let site: TestPlatform
beforeAll(async () => {
  site = await startTestPlatform()
})
afterAll(() => site.stop())

/** Alarms of three machines in any state, and shelvings of each scope in force, over and ended. */
async function createAny(seed: number, owner: number): Promise<void> {
  const machineIds: number[] = []
  for (const name of ['A', 'B', 'C'])
    machineIds.push((await createMachine(site.db, { owner, name })).machineId)
  await sql`select setseed(${1 / (seed + 1)})`.execute(site.db)
  await sql`
    insert into alarms (machine_id, key, rule_id, tag_id, level, text, raised_at, received_at, cleared_at, confirmed_at)
    select (${machineIds}::bigint[])[1 + n % 3], 'E' || n, case when random() < 0.3 then 1 + n % 5 end,
           case when random() < 0.3 then 1 + n % 4 end,
           (array['minor', 'critical', 'info', 'major'])[1 + floor(random() * 4)::int],
           '{"en": "Trouble"}', raised, raised, case when random() < 0.4 then raised + interval '1 min' end,
           case when random() < 0.5 then raised + interval '1 min' end
    from generate_series(1, 80) n, lateral (select now() - n * interval '1 hour') t (raised)`.execute(site.db)
  await sql`
    insert into alarm_shelves (machine_id, kind, scope, key, rule_id, tag_id, until, reason, created_at, ended_at, end_reason)
    select (${machineIds}::bigint[])[1 + n % 3], kind, scope, case scope when 'alarm' then 'E' || (1 + n * 7 % 80) end,
           case scope when 'rule' then 1 + n % 5 end, case scope when 'tag' then 1 + n % 4 end,
           case kind when 'shelved' then now() + (n % 3 - 1) * interval '1 hour' end, '', now() - interval '2 hours',
           case when n % 5 = 0 then now() end, case when n % 5 = 0 then 'person' end
    from generate_series(1, 30) n,
      lateral (select (array['shelved', 'outOfService'])[1 + floor(random() * 1.4)::int] as kind,
        (array['alarm', 'alarm', 'rule', 'tag'])[1 + n % 4] as scope) t`.execute(site.db)
}

test.each(pickSeeds())('seed %s: list, centre, devices and file count the same alarms', async (seed) => {
  const owner = await createUser(site.db)
  await createAny(seed, owner.userId)
  const client = site.as(owner)
  const listed = async (state: 'active' | 'unconfirmed' | 'shelved' | 'outOfService') =>
    (await client.call(alarms.listAlarms, { state, pageSize: 200 })).total
  const counts = await client.call(alarms.countAlarms, {})
  const answer = await client.call(machines.listMachines, {})
  const devices = 'list' in answer ? answer.list : []
  const { list: all } = await client.call(alarms.listAlarms, { pageSize: 200 })
  const staged = (...stages: readonly alarms.AlarmStage[]) =>
    all.filter(({ stage }) => stages.includes(stage)).length
  const { lines } = await client.call(alarms.exportAlarms, { state: 'active' })

  expect(counts.active).toBeGreaterThan(0)
  expect(counts.shelved + counts.outOfService).toBeGreaterThan(0)
  expect({
    centre: counts.active,
    byLevel: Object.values(counts.byLevel).reduce((sum, count) => sum + count),
    devices: devices.reduce((sum, { openAlarms }) => sum + openAlarms, 0),
    file: lines,
    stages: staged('activeUnacknowledged', 'activeAcknowledged'),
  }).toEqual(
    Object.fromEntries(
      await Promise.all(
        ['centre', 'byLevel', 'devices', 'file', 'stages'].map(async (by) => [by, await listed('active')]),
      ),
    ),
  )
  expect(counts.unconfirmed).toBe(await listed('unconfirmed'))
  expect(counts.shelved).toBe(await listed('shelved'))
  expect(counts.outOfService).toBe(await listed('outOfService'))
  for (const { machine_id: id, openAlarms } of devices)
    expect((await client.call(alarms.countAlarms, { machineId: id })).active).toBe(openAlarms)
})
