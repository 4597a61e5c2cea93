import { sample } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { createEnterprise, createEnterpriseMachine, createMachine, createUser } from '@busbar/testkit'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import type { Space } from '../spaces/index.ts'
import { createTelemetry, type Kept, type Telemetry } from '../telemetry/index.ts'
import { createSpaceLengths } from './index.ts'
import { replaceOfSpace } from './retention-store.ts'

const dayMs = 86_400_000
/** Noon of day 0. */
const start = Date.UTC(2026, 0, 5, 12)
const long: Kept = { rawDays: 200, minuteDays: 400, hourDays: 2_000 }
const short: Kept = { rawDays: 10, minuteDays: 20, hourDays: 40 }

let main: TestDatabase
let samples: TestDatabase
let telemetry: Telemetry
let clock: number

// Two databases: a statement over both fails.
beforeEach(async () => {
  main = await createTestDatabase({ poolMax: 6 })
  samples = await createTestDatabase({ poolMax: 6 })
  clock = start
  telemetry = createTelemetry({
    db: main.db,
    samples: { calls: samples.db, commits: samples.db, history: samples.db, lists: samples.db },
    bus: createLocalBus(silentLogger),
    logger: silentLogger,
    now: () => clock,
    lengths: createSpaceLengths(main.db, 300),
  })
  await telemetry.start()
})

afterEach(async () => {
  await telemetry.stop()
  await main.drop()
  await samples.drop()
})

const wants = (space: Space, kept: Kept, from = start) =>
  replaceOfSpace(main.db, space, [{ ...kept, effectiveAt: new Date(from) }], new Date(start))

async function run(job: 'telemetry.fold' | 'telemetry.retention') {
  const found = telemetry.jobs.find(({ name }) => name === job)
  await found?.run({ now: clock, signal: new AbortController().signal, previous: undefined })
}

/** Each machine sends a value on each of these days; then it is day 100. */
async function send(machines: readonly { machineId: number }[], days = [0, 50, 95]) {
  for (const day of days) {
    clock = start + day * dayMs
    for (const { machineId } of machines)
      await telemetry.append(machineId, [sample('t', day, { time: clock })])
    await telemetry.flush()
  }
  clock = start + 100 * dayMs
  await run('telemetry.fold')
}

const firstDay = Math.floor(start / dayMs)

/** The days of which there are samples, averages of minutes, and averages of hours of a machine. */
async function kept({ machineId }: { machineId: number }) {
  const tags = await main.db.selectFrom('tags').select('id').where('machine_id', '=', machineId).execute()
  const daysOf = async (from: string) => {
    const { rows } = await sql<{ day: number }>`
      select distinct hour / 24 - ${firstDay}::int as day from ${sql.raw(from)}
      tag_id = any(${tags.map(({ id }) => id)}::bigint[]) order by day`.execute(samples.db)
    return rows.map(({ day }) => day)
  }
  return {
    raw: await daysOf('sample_chunks where'),
    minutes: await daysOf('sample_averages where step = 1 and'),
    hours: await daysOf('sample_averages where step = 60 and'),
  }
}

test('samples are kept at most as long as the operator allows, whatever a space has set', async () => {
  const { userId } = await createUser(main.db)
  const machine = await createMachine(main.db, { owner: userId })
  await send([machine])
  await wants({ userId }, { rawDays: 400, minuteDays: 400, hourDays: 2_000 })
  clock = start + 299 * dayMs
  await run('telemetry.retention')
  expect((await kept(machine)).raw).toEqual(all)
  clock = start + 302 * dayMs
  await run('telemetry.retention')
  expect((await kept(machine)).raw).toEqual([50, 95])
})

const all = [0, 50, 95]
const usual = { raw: [50, 95], minutes: all, hours: all }

test('samples are kept as long as their machine’s space has set, others and those of unowned machines 90 days', async () => {
  const [patient, plain] = [await createUser(main.db), await createUser(main.db)]
  const { eid } = await createEnterprise(main.db)
  const ofPatient = await createMachine(main.db, { owner: patient.userId })
  const ofPlain = await createMachine(main.db, { owner: plain.userId })
  const ofEnterprise = await createEnterpriseMachine(main.db, eid)
  const unowned = await createMachine(main.db)
  await send([ofPatient, ofPlain, ofEnterprise, unowned])
  await wants({ userId: patient.userId }, long)
  await wants({ enterpriseId: eid }, short)
  await run('telemetry.retention')
  expect(await kept(ofPatient)).toEqual({ raw: all, minutes: all, hours: all })
  expect(await kept(ofEnterprise)).toEqual({ raw: [95], minutes: [95], hours: [95] })
  expect(await kept(ofPlain)).toEqual(usual)
  expect(await kept(unowned)).toEqual(usual)
})

test('averages of hours go later than those of minutes, in each space at its own time', async () => {
  const [patient, plain] = [await createUser(main.db), await createUser(main.db)]
  const machines = [
    await createMachine(main.db, { owner: patient.userId }),
    await createMachine(main.db, { owner: plain.userId }),
  ] as const
  await send(machines)
  await wants({ userId: patient.userId }, long)
  clock = start + 390 * dayMs
  await run('telemetry.retention')
  expect(await kept(machines[0])).toEqual({ raw: [], minutes: all, hours: all })
  expect(await kept(machines[1])).toEqual({ raw: [], minutes: [50, 95], hours: all })
  clock = start + 1_840 * dayMs
  await run('telemetry.retention')
  expect(await kept(machines[0])).toEqual({ raw: [], minutes: [], hours: all })
  expect(await kept(machines[1])).toEqual({ raw: [], minutes: [], hours: [50, 95] })
})

test('a shorter time deletes nothing before it takes effect', async () => {
  const { userId } = await createUser(main.db)
  const machine = await createMachine(main.db, { owner: userId })
  await send([machine])
  await wants({ userId }, short, clock + dayMs)
  await run('telemetry.retention')
  expect(await kept(machine)).toEqual(usual)
  clock += dayMs
  await run('telemetry.retention')
  expect(await kept(machine)).toEqual({ raw: [95], minutes: [95], hours: [95] })
})

test('a machine that changes its space follows the new one, and tags of a former owner belong to nobody', async () => {
  const [patient, hasty] = [await createUser(main.db), await createUser(main.db)]
  const machine = await createMachine(main.db, { owner: hasty.userId })
  const disowned = await createMachine(main.db, { owner: patient.userId })
  await send([machine, disowned])
  await wants({ userId: patient.userId }, long)
  await wants({ userId: hasty.userId }, short)
  await main.db
    .updateTable('machines')
    .set({ owner_user_id: patient.userId })
    .where('id', '=', machine.machineId)
    .execute()
  await main.db
    .updateTable('tags')
    .set({ disowned_at: new Date(clock), retired_at: new Date(clock) })
    .where('machine_id', '=', disowned.machineId)
    .execute()
  await run('telemetry.retention')
  expect((await kept(machine)).raw).toEqual(all)
  expect((await kept(disowned)).raw).toEqual([50, 95])
  await main.db
    .updateTable('machines')
    .set({ owner_user_id: hasty.userId })
    .where('id', '=', machine.machineId)
    .execute()
  clock += dayMs
  await run('telemetry.retention')
  expect((await kept(machine)).raw).toEqual([95])
})
