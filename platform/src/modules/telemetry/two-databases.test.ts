import { fillDisk, listKept } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { sample } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { createMachine } from '@busbar/testkit'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type BusEvents, createLocalBus } from '../../kernel/bus/bus.ts'
import { Facts } from '../../kernel/facts/facts.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { StoreFailed } from './append-errors.ts'
import { createTelemetry, type Telemetry } from './telemetry.ts'
import type { UplinkRecord } from './uplink-record.ts'

let main: TestDatabase
let samples: TestDatabase
let telemetry: Telemetry
let machineId: number
let told: BusEvents['tags'][]
const at = Date.UTC(2026, 10, 20, 12)

const alarm: UplinkRecord = {
  kind: 'alarm',
  key: 'E1',
  level: 'major',
  text: { en: 'Oil pressure low' },
  state: 'raised',
  isRepeat: false,
  time: at,
  late: false,
}
const message: readonly UplinkRecord[] = [sample('flow', 1.5, { time: at }), alarm]

async function open(): Promise<Telemetry> {
  const bus = createLocalBus(silentLogger)
  told = []
  bus.subscribe('tags', (event) => told.push(event))
  const { db } = main
  const options = { db, bus, logger: silentLogger, now: () => at }
  const apart = { calls: samples.db, commits: samples.db, history: samples.db, lists: samples.db }
  const opened = createTelemetry({ ...options, samples: apart, facts: new Facts(options) })
  await opened.start()
  return opened
}

beforeEach(async () => {
  main = await createTestDatabase({ poolMax: 6 })
  samples = await createTestDatabase({ poolMax: 6 })
  machineId = (await createMachine(main.db)).machineId
  telemetry = await open()
})

afterEach(async () => {
  await telemetry.stop()
  await main.drop()
  await samples.drop()
})

async function count(database: TestDatabase, table: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from ${sql.table(table)}`.execute(database.db)
  return rows[0]?.count ?? 0
}

const listAlarms = () => main.db.selectFrom('alarms').select(['key', 'count']).execute()
const listFacts = async () =>
  (await main.db.selectFrom('facts').select('kind').orderBy('id').execute()).map(({ kind }) => kind)

const logAwayText = (statement: string) =>
  `create or replace function log_away() returns trigger language plpgsql as $$ begin ${statement}; end $$`

/** Makes the log away, as while its server starts again; answers how that ends. */
async function takeLogAway(code: string): Promise<() => Promise<void>> {
  await sql
    .raw(
      `${logAwayText(`raise exception 'away' using errcode = '${code}'`)};
       create trigger log_away before insert on sample_log for each row execute function log_away()`,
    )
    .execute(samples.db)
  // Dropping the trigger would wait for commits that are tried again.
  return async () => void (await sql.raw(logAwayText('return new')).execute(samples.db))
}

/** Expects the contents of `message` to be stored once. */
async function expectStoredOnce(): Promise<void> {
  expect(await listAlarms()).toEqual([{ key: 'E1', count: 1 }])
  expect(await listFacts()).toEqual(['alarm.raised'])
  const tags = await main.db.selectFrom('tags').select('id').execute()
  expect(tags).toHaveLength(1)
  expect(await listKept(samples.db)).toEqual([{ tagId: tags[0]?.id, at, value: 1.5 }])
}

async function readHistory(): Promise<unknown> {
  const [tag] = await telemetry.listTags(machineId, 'en')
  const { series } = await telemetry.history({
    tagIds: [tag?.tagId ?? 0],
    from: at - 60_000,
    to: at + 60_000,
    agg: 'raw',
    lang: 'en',
  } as Parameters<Telemetry['history']>[0])
  return series[0]?.points.length
}

it('samples are in the second database alone, everything else is in the first', async () => {
  await telemetry.append(machineId, message)
  await expectStoredOnce()
  expect(await count(main, 'sample_log')).toBe(0)
  expect(await count(samples, 'tags')).toBe(0)
  expect(await readHistory()).toBe(1)
  const before = await count(main, 'ingest_batches')
  await telemetry.append(machineId, [sample('flow', 2, { time: at + 1 })])
  expect(await count(main, 'ingest_batches')).toBe(before)
  await telemetry.flush()
  expect(await count(samples, 'sample_chunks')).toBeGreaterThan(0)
  expect(await count(main, 'sample_chunks')).toBe(0)
})

it('a process that was killed finds samples and newest values again', async () => {
  await telemetry.append(machineId, message)
  // As if the newest values had not been written yet.
  await sql`delete from tag_latest`.execute(main.db)
  await sql`update sample_log_positions set latest_seq = 0`.execute(samples.db)
  const again = await open()
  try {
    expect(await again.listLatest(machineId)).toMatchObject([{ value: 1.5, time: at }])
  } finally {
    await again.stop()
  }
})

it('an alarm is published while the second database is away, and its batch is finished without publishing it again', async () => {
  const comeBack = await takeLogAway('57P03')
  let isAcknowledged = false
  const stored = telemetry.append(machineId, message).then(() => {
    isAcknowledged = true
  })
  await vi.waitFor(async () => expect(await listAlarms()).toHaveLength(1), 10_000)
  expect(isAcknowledged).toBe(false)
  await comeBack()
  await stored
  await expectStoredOnce()
  expect(told).toEqual([{ machineId }])
})

it('facts of a batch that was given up are sent again without changing anything', async () => {
  const comeBack = await takeLogAway('53100')
  await expect(telemetry.append(machineId, message)).rejects.toThrow(StoreFailed)
  expect(await listAlarms()).toHaveLength(1)
  await comeBack()
  await telemetry.append(machineId, message)
  await expectStoredOnce()
})

it('a full disk of the second database refuses no other machine’s facts, and loses nothing that is sent again', async () => {
  const emptyDisk = await fillDisk(samples.db, 0)
  const other = (await createMachine(main.db)).machineId
  const tries = await Promise.allSettled([
    telemetry.append(machineId, message),
    telemetry.append(other, [alarm]),
  ])
  expect(tries.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  await emptyDisk()
  await telemetry.append(machineId, message)
  expect(await listAlarms()).toHaveLength(2)
  expect(await listKept(samples.db)).toHaveLength(1)
})

it('no sample is written without a tag when the machine changes hands between the two halves', async () => {
  const comeBack = await takeLogAway('57P03')
  const stored = telemetry.append(machineId, message)
  stored.catch(() => {})
  await vi.waitFor(async () => expect(await listAlarms()).toHaveLength(1), 10_000)
  await sql`update tags set retired_at = now(), disowned_at = now()`.execute(main.db)
  await sql`update machines set owned_since = now()`.execute(main.db)
  await comeBack()
  await stored.catch(() => {})
  await telemetry.append(machineId, message)
  // The sample may have been written before its tag was let go; it is never read.
  const tagIds = (await main.db.selectFrom('tags').select('id').execute()).map(({ id }) => id)
  const kept = await listKept(samples.db)
  expect(kept.filter(({ tagId }) => !tagIds.includes(tagId))).toEqual([])
})
