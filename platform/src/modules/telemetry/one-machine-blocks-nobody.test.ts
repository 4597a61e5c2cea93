import { randomUUID } from 'node:crypto'
import { countLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { createMachine } from '@busbar/testkit'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { showName } from '../../kernel/storable-text.ts'
import { BatchWriter, isBatchKnown } from './batch-writer.ts'
import {
  createTelemetry,
  RecordsRefused,
  type SampleRecord,
  type Telemetry,
  type UplinkRecord,
} from './index.ts'
import { BatchPlan } from './plan-batch.ts'
import { SampleLog } from './store/sample-log.ts'

let database: TestDatabase
let telemetry: Telemetry

beforeEach(async () => {
  database = await createTestDatabase()
  const bus = createLocalBus(silentLogger)
  telemetry = createTelemetry({ db: database.db, bus, logger: silentLogger, now: Date.now })
  await telemetry.start()
})

afterEach(async () => {
  await telemetry.stop()
  await database.drop()
})

const sample = (tag: string, value: number, group = ''): SampleRecord => ({
  kind: 'sample',
  group,
  tag,
  type: 'float64',
  value,
  quality: 192,
  time: undefined,
  late: false,
})

async function valuesOf(machineId: number): Promise<unknown[]> {
  return (await telemetry.listLatest(machineId)).map(({ value }) => value)
}

it('two names with different halves of characters are refused and named; other machines are acknowledged', async () => {
  const bad = await createMachine(database.db)
  const good = await createMachine(database.db)
  const outcomes = await Promise.all([
    telemetry.append(bad.machineId, [sample('\ud800', 1)]),
    telemetry.append(bad.machineId, [sample('\ud801', 2), sample('fine', 3)]),
    telemetry.append(bad.machineId, [sample('fine', 4, 'line\udfff')]),
    telemetry.append(good.machineId, [sample('n', 5)]),
  ])
  expect(outcomes).toEqual([['\\u{d800}'], ['\\u{d801}'], ['line\\u{dfff}'], []])
  expect(await valuesOf(bad.machineId)).toEqual([3])
  expect(await valuesOf(good.machineId)).toEqual([5])
})

it('texts that PostgreSQL cannot hold are cleaned, names are refused', async () => {
  const { machineId } = await createMachine(database.db)
  const refused = await telemetry.append(machineId, [
    {
      kind: 'tagDefinition',
      group: '',
      tag: 'n',
      type: 'float64',
      label: { en: 'Oil\ud800\0 pressure\u202e' },
      unit: '\0°C\ud801',
      scale: 1e9,
      min: Number.NaN,
      max: Number.POSITIVE_INFINITY,
      readOnly: true,
      isKey: false,
    },
    {
      kind: 'alarm',
      key: 'E\ud8001',
      level: 'major',
      text: { en: 'x' },
      state: 'raised',
      isRepeat: false,
      time: undefined,
      late: false,
    },
    {
      kind: 'alarm',
      key: 'E2',
      level: 'major',
      text: { en: 'Door\0 open\ud800' },
      state: 'raised',
      isRepeat: false,
      time: Number.NaN,
      late: false,
    },
    { kind: 'attributes', attributes: { model: 'M\0\ud800', 'a\u202eb': 1, deep: { 'x\0': ['\udc00'] } } },
  ])
  expect(refused).toEqual(['E\\u{d800}1', 'a\\u{202e}b'])
  const tags = await database.db.selectFrom('tags').select(['label', 'unit', 'scale', 'min', 'max']).execute()
  expect(tags).toEqual([
    { label: { en: 'Oil\ufffd pressure' }, unit: '°C\ufffd', scale: null, min: null, max: null },
  ])
  const alarms = await database.db.selectFrom('alarms').select(['key', 'text']).execute()
  expect(alarms).toEqual([{ key: 'E2', text: { en: 'Door open\ufffd' } }])
  const machine = await database.db
    .selectFrom('machines')
    .select('attributes')
    .where('id', '=', machineId)
    .executeTakeFirstOrThrow()
  expect(machine.attributes).toMatchObject({ model: 'M\ufffd', deep: { x: ['\ufffd'] } })
})

it('a refused name is shown shortened, with its invisible characters', () => {
  expect(showName('a\u200bb\0\u202ec\ud800')).toBe('a\\u{200b}b\\u{0}\\u{202e}c\\u{d800}')
  expect(showName('温度 1')).toBe('温度 1')
  const long = showName('🍰'.repeat(200))
  expect(long.length).toBeLessThanOrEqual(64)
  expect(long.isWellFormed() && long.endsWith('…')).toBe(true)
})

/** Makes the database refuse one machine's new tags with an SQLSTATE. */
async function breakMachine(machineId: number, sqlState: string): Promise<void> {
  await sql
    .raw(`
    create function break_machine() returns trigger language plpgsql as $$
    begin
      if new.machine_id = ${machineId} then raise exception 'broken' using errcode = '${sqlState}'; end if;
      return new;
    end $$;
    create trigger break_machine before insert on tags for each row execute function break_machine()`)
    .execute(database.db)
}

describe('a lasting error of any kind does not stop other machines', () => {
  it.each(['XX000', '42501', 'P0001', '23505', '0A000'])('SQLSTATE %s', async (sqlState) => {
    const bad = await createMachine(database.db)
    const others = await Promise.all(Array.from({ length: 5 }, () => createMachine(database.db)))
    await breakMachine(bad.machineId, sqlState)
    const append = (machineId: number, records: UplinkRecord[]) => telemetry.append(machineId, records)
    const outcomes = await Promise.allSettled([
      ...others.slice(0, 3).map(({ machineId }) => append(machineId, [sample('n', 1)])),
      append(bad.machineId, [sample('n', 1)]),
      ...others.slice(3).map(({ machineId }) => append(machineId, [sample('n', 1)])),
    ])
    expect(outcomes[3]).toMatchObject({ reason: expect.any(RecordsRefused) })
    for (const { machineId } of others) expect(await valuesOf(machineId)).toEqual([1])
    expect(await countLogged(database.db)).toBe(5)
  })
})

it('a batch that was closed is never taken for a committed one, and a committed one is never closed', async () => {
  const log = new SampleLog({ db: database.db, nodeId: 'main', logger: silentLogger, now: Date.now })
  const writer = new BatchWriter({ db: database.db, samplesDb: database.db, log })
  const [closed, committed] = [randomUUID(), randomUUID()]
  expect(await writer.close(closed)).toBe(true)
  // The answer to the first close was lost.
  expect(await writer.close(closed)).toBe(true)
  expect(await writer.isCommitted(closed)).toBe(false)
  const plan = new BatchPlan()
  plan.lost.push({ machineId: 0, from: 0, to: 1, samples: 1, receivedAt: 1 })
  await expect(writer.write(closed, plan)).rejects.toSatisfy(isBatchKnown)
  await writer.write(committed, plan)
  expect(await writer.isCommitted(committed)).toBe(true)
  expect(await writer.close(committed)).toBe(false)
})
