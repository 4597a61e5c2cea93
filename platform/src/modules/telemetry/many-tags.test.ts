import { listLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { createMachine } from '@busbar/testkit'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import {
  createTelemetry,
  type SampleRecord,
  type Telemetry,
  type UplinkRecord,
  uplinkLimits,
} from './index.ts'

let database: TestDatabase
let telemetry: Telemetry
let machineId: number
let otherId: number

const max = uplinkLimits.tagWritesPerCommit

beforeEach(async () => {
  database = await createTestDatabase()
  telemetry = await open()
  ;({ machineId } = await createMachine(database.db))
  ;({ machineId: otherId } = await createMachine(database.db))
})

afterEach(async () => {
  await telemetry.stop()
  await database.drop()
})

async function open(): Promise<Telemetry> {
  const bus = createLocalBus(silentLogger)
  const opened = createTelemetry({ db: database.db, bus, logger: silentLogger, now: Date.now })
  await opened.start()
  return opened
}

const sample = (tag: string, value: SampleRecord['value']): SampleRecord => ({
  kind: 'sample',
  group: '',
  tag,
  type: typeof value === 'string' ? 'string' : 'float64',
  value,
  quality: 192,
  time: undefined,
  late: false,
})

const birth = (count: number, unit = 'mm'): UplinkRecord[] =>
  Array.from({ length: count }, (_, place): UplinkRecord[] => [
    {
      kind: 'tagDefinition',
      group: '',
      tag: `t${place}`,
      type: 'float64',
      label: {},
      unit,
      scale: null,
      min: null,
      max: null,
      readOnly: true,
      isKey: false,
    },
    sample(`t${place}`, place),
  ]).flat()

/** The number of tags of the machine that each transaction wrote, by transaction number. */
async function writesPerCommit(): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from tags where machine_id = ${machineId} group by xmin order by min(id)`.execute(
    database.db,
  )
  return rows.map(({ count }) => count)
}

async function countSamples(): Promise<number> {
  return (await listLogged(database.db, machineId)).length
}

it('many new tags of one machine are written in parts, others commit in between, the answer follows the last', async () => {
  const ended: string[] = []
  const first = telemetry.append(machineId, birth(max * 4 + 1)).then(() => ended.push('birth'))
  const next = telemetry.append(machineId, [sample('t0', 7)]).then(() => ended.push('next'))
  await telemetry.append(otherId, [sample('n', 1)])
  await telemetry.append(otherId, [sample('n', 2)])
  ended.push('other')
  await Promise.all([first, next])
  expect(ended).toEqual(['other', 'birth', 'next'])
  expect(await writesPerCommit()).toEqual([max, max, max, max, 1])
  expect(await countSamples()).toBe(max * 4 + 2)
  const [newest] = await telemetry.listLatest(machineId)
  expect(newest?.value).toBe(7)
})

it('many redefined tags are written in parts too', async () => {
  await telemetry.append(machineId, birth(max * 2))
  await telemetry.append(machineId, birth(max * 2, 'inch'))
  expect(await writesPerCommit()).toEqual([max, max])
  const tags = await telemetry.listTags(machineId, 'en')
  expect(tags.every(({ unit }) => unit === 'inch')).toBe(true)
  expect(await countSamples()).toBe(max * 4)
})

it('several messages of one machine in one commit count together', async () => {
  const half = birth(max)
  const rest = birth(max * 2).slice(max * 2)
  await Promise.all([telemetry.append(machineId, half), telemetry.append(machineId, rest)])
  expect(await writesPerCommit()).toEqual([max, max])
  expect(await countSamples()).toBe(max * 2)
})

it('a message cut off between two parts stores no sample: sent again it goes on and stores nothing twice', async () => {
  // The third part fails as if the disk were full.
  await sql
    .raw(`
    create function full_disk() returns trigger language plpgsql as $$
    begin
      if (select count(*) from tags) > ${max * 2} then raise exception 'full' using errcode = '53100'; end if;
      return null;
    end $$;
    create trigger full_disk after insert on tags execute function full_disk()`)
    .execute(database.db)
  await expect(telemetry.append(machineId, birth(max * 3))).rejects.toThrow('the store failed')
  expect(await writesPerCommit()).toEqual([max, max])
  expect(await countSamples()).toBe(0)
  await sql.raw('drop trigger full_disk on tags').execute(database.db)
  expect(await telemetry.append(machineId, birth(max * 3))).toEqual([])
  expect(await writesPerCommit()).toEqual([max, max, max])
  expect(await countSamples()).toBe(max * 3)
})

it('parts whose answers are lost are written once', async () => {
  const appended = telemetry.append(machineId, birth(max * 6))
  // Ends the platform's connections while the parts are on their way.
  for (let round = 0; round < 4; round++) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await appended).toEqual([])
  expect((await writesPerCommit()).reduce((sum, count) => sum + count, 0)).toBe(max * 6)
  expect(Math.max(...(await writesPerCommit()))).toBe(max)
  expect(await countSamples()).toBe(max * 6)
})

it('a tag with two types in such a message keeps the first and is named', async () => {
  const records = [...birth(max + 1), sample('t3', 'a text')]
  expect(await telemetry.append(machineId, records)).toEqual(['t3'])
  expect(await writesPerCommit()).toEqual([max, 1])
  expect(await countSamples()).toBe(max + 1)
})
