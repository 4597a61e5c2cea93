import { createHash } from 'node:crypto'
import { type LoggedSample, listLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runClockJobs } from '../../../test-support/jobs/run-clock-jobs.ts'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { AppendReport, createTelemetry, type SampleRecord, type Telemetry } from './index.ts'

const secondMs = 1_000
const minuteMs = 60_000
const dayMs = 86_400_000

let database: TestDatabase
let telemetry: Telemetry
let clock: number
let machineId: number

beforeEach(async () => {
  database = await createTestDatabase()
  clock = Date.UTC(2026, 10, 20, 12)
  telemetry = await open()
  machineId = await createMachine()
})

afterEach(async () => {
  await telemetry.stop()
  await database.drop()
})

async function open(): Promise<Telemetry> {
  const bus = createLocalBus(silentLogger)
  const opened = createTelemetry({ db: database.db, bus, logger: silentLogger, now: () => clock })
  await opened.start()
  return opened
}

async function createMachine(): Promise<number> {
  const secret_hash = createHash('sha256').update('secret').digest()
  const row = await database.db
    .insertInto('machines')
    .values({ code: '1'.padStart(19, '1'), type: 'press', name: 'Press 1', secret_hash })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const sample = (value: number, time: number | undefined, more: Partial<SampleRecord> = {}): SampleRecord => ({
  ...{ kind: 'sample', group: '', tag: 'a', type: 'float64', value, quality: 192, time, late: false },
  ...more,
})

/** Sends values in one message; answers how many were stored and how many were not, because they had been. */
async function send(...records: SampleRecord[]) {
  const report = new AppendReport()
  await telemetry.append(machineId, records, report)
  return { stored: report.stored, repeated: report.repeated }
}

async function latest() {
  const [value] = await telemetry.listLatest(machineId)
  return value && { value: value.value, time: value.time, quality: value.quality }
}

/** The samples in history: time relative to the present, value and quality. */
async function history() {
  const first = new Map<number, LoggedSample>()
  for (const sample of await listLogged(database.db)) {
    const at = sample.at.getTime()
    if (!first.has(at)) first.set(at, sample)
  }
  return [...first.keys()]
    .sort((a, b) => a - b)
    .map((at) => [at - clock, first.get(at)?.num, first.get(at)?.quality])
}

async function stamps() {
  const samples = await listLogged(database.db)
  return samples
    .map(({ at, stamp }) => [at.getTime(), stamp] as const)
    .filter(([at, stamp]) => at !== stamp)
    .sort(([a], [b]) => a - b)
}

it('a value repeated after its machine or device was away is fresh, and stored once', async () => {
  const stamp = clock - secondMs
  await send(sample(1, stamp, { group: 'plc' }), sample(2, stamp, { tag: 'b' }))
  const read = async () =>
    (await telemetry.listLatest(machineId)).map(({ value, time, quality }) => [value, time, quality])
  const fresh = [
    [1, stamp, 'good'],
    [2, stamp, 'good'],
  ]
  for (const group of ['plc', undefined]) {
    telemetry.markStale(machineId, group)
    expect((await read())[0]?.[2]).toBe('stale')
    clock += secondMs
    // A birth has its values with the times of their changes.
    const again = [sample(1, stamp, { group: 'plc' }), sample(2, stamp, { tag: 'b' })]
    expect(await send(...again)).toEqual({ stored: 0, repeated: 2 })
    expect(await read()).toEqual(fresh)
  }
  await telemetry.stop()
  clock += secondMs
  telemetry = await open()
  expect((await read()).map(([, , quality]) => quality)).toEqual(['stale', 'stale'])
  clock += secondMs
  await send(sample(1, stamp, { group: 'plc' }))
  expect((await read()).map(([, , quality]) => quality)).toEqual(['good', 'stale'])
})

describe('a node that stamps every message with the same instant', () => {
  it('does not freeze at its birth', async () => {
    const born = clock + 1
    for (let value = 0; value < 5; value++) {
      clock += secondMs
      expect(await send(sample(value, born))).toEqual({ stored: 1, repeated: 0 })
      expect(await latest()).toMatchObject({ value })
    }
    expect(await latest()).toEqual({ value: 4, time: clock, quality: 'uncertain' })
    clock += 10 * minuteMs
    await send(sample(5, born))
    expect(await latest()).toEqual({ value: 5, time: clock, quality: 'uncertain' })
    expect((await stamps()).map(([, stamp]) => stamp)).toEqual(Array(5).fill(born))
  })

  it('does not freeze where its clock is ahead of the platform’s', async () => {
    const ahead = clock + 2 * minuteMs + 1
    await send(sample(1, ahead))
    await send(sample(2, ahead))
    await send(sample(3, ahead))
    expect(await latest()).toEqual({ value: 3, time: ahead + 2, quality: 'uncertain' })
  })

  it('does not freeze after any restart of the platform', async () => {
    const born = clock - 1
    await send(sample(1, born))
    clock += 2
    await send(sample(2, born))
    for (const isCrash of [false, true]) {
      const before = telemetry
      await before.stop()
      // As after a crash: newest values come from the samples.
      if (isCrash) {
        await database.db.deleteFrom('tag_latest').execute()
        await sql`update sample_log_positions set latest_seq = 0, is_latest_whole = false`.execute(
          database.db,
        )
      }
      telemetry = await open()
      expect(await send(sample(2, born))).toEqual({ stored: 0, repeated: 1 })
    }
    clock += 1
    expect(await send(sample(3, born))).toEqual({ stored: 1, repeated: 0 })
    expect((await telemetry.listLatest(machineId))[0]).toMatchObject({ value: 3, time: clock })
  })
})

describe('the same stamp', () => {
  it('with the same value changes nothing, and is not reported as stored', async () => {
    expect(await send(sample(1, clock))).toEqual({ stored: 1, repeated: 0 })
    expect(await send(sample(1, clock), sample(1, clock))).toEqual({ stored: 0, repeated: 2 })
    expect(await history()).toEqual([[0, 1, 192]])
  })

  it('with other values of a whole second keeps them within it, in their order', async () => {
    await send(sample(1, clock), sample(2, clock))
    await send(sample(1, clock))
    expect(await history()).toEqual([
      [0, 1, 192],
      [1, 2, 192],
      [2, 1, 192],
    ])
    expect(await latest()).toEqual({ value: 1, time: clock + 2, quality: 'good' })
  })

  it('with more values than the second has milliseconds keeps the rest at their arrival', async () => {
    const second = clock
    clock += 2 * secondMs
    await send(...Array.from({ length: 1_000 }, (_, value) => sample(value, second)))
    expect(await latest()).toEqual({ value: 999, time: second + 999, quality: 'good' })
    expect(await send(sample(1_000, second), sample(1_001, second))).toEqual({ stored: 2, repeated: 0 })
    expect(await latest()).toEqual({ value: 1_001, time: clock + 1, quality: 'uncertain' })
    expect(await history()).toHaveLength(1_002)
    // The clock of the machine goes on, behind the newest value.
    await send(sample(1_002, second + secondMs))
    expect(await latest()).toEqual({ value: 1_002, time: clock + 2, quality: 'uncertain' })
  })
})

describe('an older stamp', () => {
  it('goes into history alone, and the first one stays', async () => {
    await send(sample(1, clock))
    expect(await send(sample(2, clock - 500))).toEqual({ stored: 1, repeated: 0 })
    expect(await send(sample(3, clock - 500))).toEqual({ stored: 0, repeated: 1 })
    expect(await latest()).toEqual({ value: 1, time: clock, quality: 'good' })
    expect(await history()).toEqual([
      [-500, 2, 192],
      [0, 1, 192],
    ])
  })

  it('is not reported as stored if the newest value before had that stamp', async () => {
    await send(sample(1, clock - 500))
    await send(sample(2, clock))
    expect(await send(sample(1, clock - 500), sample(2, clock), sample(3, clock + 1))).toEqual({
      stored: 1,
      repeated: 2,
    })
    expect(await history()).toHaveLength(3)
  })

  it('twice in one message is stored once', async () => {
    await send(sample(1, clock))
    expect(await send(sample(2, clock - 5), sample(3, clock - 5))).toEqual({ stored: 1, repeated: 1 })
  })

  it('sent as a backlog at a known time is not reported as stored', async () => {
    await send(sample(1, clock))
    expect(await send(sample(2, clock, { late: true }))).toEqual({ stored: 0, repeated: 1 })
  })
})

it('stores every value of an implausible clock at its arrival, equal or not', async () => {
  const unset = Date.UTC(1970, 0, 1, 0, 1)
  for (let count = 0; count < 3; count++) {
    clock += secondMs
    expect(await send(sample(7, unset))).toEqual({ stored: 1, repeated: 0 })
    expect(await latest()).toEqual({ value: 7, time: clock, quality: 'uncertain' })
  }
  expect(await stamps()).toHaveLength(3)
})

it('shows a machine’s values at once when its clock, far ahead, is set right', async () => {
  await send(sample(1, clock + 60 * minuteMs))
  clock += 2
  await send(sample(2, clock - 1))
  expect(await latest()).toEqual({ value: 2, time: clock - 1, quality: 'good' })
})

it('stores no stamp of samples stored at their own time, and deletes the others with their samples', async () => {
  await send(sample(1, clock), sample(2, undefined, { tag: 'b' }))
  expect(await stamps()).toEqual([])
  await send(sample(2, clock))
  expect(await stamps()).toEqual([[clock + 1, clock]])
  await telemetry.flush()
  clock += 92 * dayMs
  await runClockJobs(telemetry.jobs, clock)
  expect(await stamps()).toEqual([])
})
