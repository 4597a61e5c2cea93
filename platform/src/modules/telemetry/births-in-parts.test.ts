import { fillDisk, listLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { createMachine } from '@busbar/testkit'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import {
  AppendReport,
  createTelemetry,
  type SampleRecord,
  type Telemetry,
  type UplinkRecord,
  uplinkLimits,
} from './index.ts'

const max = uplinkLimits.samplesPerPart
const opened: Telemetry[] = []
let database: TestDatabase
let telemetry: Telemetry
let machineId: number
let otherId: number
let stamp: number

beforeEach(async () => {
  database = await createTestDatabase()
  telemetry = await open()
  stamp = Date.now()
  ;({ machineId } = await createMachine(database.db))
  ;({ machineId: otherId } = await createMachine(database.db))
})

afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop()
  await database.drop()
})

async function open(now = Date.now): Promise<Telemetry> {
  const bus = createLocalBus(silentLogger)
  const one = createTelemetry({ db: database.db, bus, logger: silentLogger, now })
  opened.push(one)
  await one.start()
  return one
}

const sample = (tag: string, more: Partial<SampleRecord> = {}): SampleRecord => ({
  kind: 'sample',
  group: '',
  tag,
  type: 'float64',
  value: 1,
  quality: 192,
  time: stamp,
  late: false,
  ...more,
})

const attributes: UplinkRecord = { kind: 'attributes', attributes: { model: 'M1' } }

const birth = (count: number, more: Partial<SampleRecord> = {}): UplinkRecord[] => [
  attributes,
  ...Array.from({ length: count }, (_, place): UplinkRecord[] => [
    {
      kind: 'tagDefinition',
      group: '',
      tag: `t${place}`,
      type: 'float64',
      label: {},
      unit: 'mm',
      scale: null,
      min: null,
      max: null,
      readOnly: true,
      isKey: false,
    },
    sample(`t${place}`, { value: place, ...more }),
  ]).flat(),
]

/** The number of samples of the machine that each transaction stored, by transaction number. */
async function samplesPerCommit(): Promise<number[]> {
  const counts = new Map<number, number>()
  for (const { commit } of await listLogged(database.db, machineId))
    counts.set(commit, (counts.get(commit) ?? 0) + 1)
  return [...counts.values()]
}

const sum = (counts: readonly number[]) => counts.reduce((whole, count) => whole + count, 0)

async function modelOf(): Promise<unknown> {
  const { rows } = await sql<{ model: unknown }>`
    select attributes ->> 'model' as model from machines where id = ${machineId}`.execute(database.db)
  return rows[0]?.model
}

it('a birth of many tags is committed in parts, others in between, and acknowledged after the last', async () => {
  const ended: string[] = []
  const report = new AppendReport()
  const first = telemetry.append(machineId, birth(max * 4 + 1), report).then(() => ended.push('birth'))
  const next = telemetry
    .append(machineId, [sample('t0', { value: 7, time: stamp + 1 })])
    .then(() => ended.push('next'))
  await telemetry.append(otherId, [sample('n')])
  await telemetry.append(otherId, [sample('n', { time: stamp + 1 })])
  ended.push('other')
  await Promise.all([first, next])
  expect(ended[0]).toBe('other')
  const counts = await samplesPerCommit()
  expect(Math.max(...counts)).toBe(max)
  expect(sum(counts)).toBe(max * 4 + 2)
  expect(report.stored).toBe(max * 4 + 1)
  const [newest] = await telemetry.listLatest(machineId)
  expect(newest?.value).toBe(7)
})

it.each(['the same process', 'one started anew after a crash'])(
  'a birth cut off between two parts and sent again goes on and stores nothing twice: %s',
  async (where) => {
    const emptyDisk = await fillDisk(database.db, max * 2)
    await expect(telemetry.append(machineId, birth(max * 3))).rejects.toThrow('the store failed')
    expect(await samplesPerCommit()).toEqual([max, max])
    expect(await modelOf()).toBeNull()
    await emptyDisk()
    if (where !== 'the same process') telemetry = await open()
    const report = new AppendReport()
    expect(await telemetry.append(machineId, birth(max * 3), report)).toEqual([])
    expect(await samplesPerCommit()).toEqual([max, max, max])
    expect([report.stored, report.repeated]).toEqual([max, max * 2])
    expect(await modelOf()).toBe('M1')
  },
)

it('parts with samples whose answers are lost are stored once', async () => {
  const report = new AppendReport()
  const appended = telemetry.append(machineId, birth(max * 6), report)
  // Ends the platform's connections while the parts are on their way.
  for (let round = 0; round < 4; round++) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await appended).toEqual([])
  expect(await samplesPerCommit()).toEqual(Array(6).fill(max))
  expect(report.stored + report.repeated).toBe(max * 6)
})

it('the refused names of all parts are reported together', async () => {
  const records = birth(max * 2 + 1)
  records.splice(1, 0, sample('bad\ud800one'))
  records.push(sample('bad\ud800two'))
  expect(await telemetry.append(machineId, records)).toEqual([
    expect.stringContaining('one'),
    expect.stringContaining('two'),
  ])
  expect(sum(await samplesPerCommit())).toBe(max * 2 + 1)
})

it.each([
  ['values without a stamp', () => birth(max * 2, { time: undefined })],
  ['values whose stamp is not believed', () => birth(max * 2, { time: stamp - 3_600_000 })],
  ['late values', () => birth(max * 2, { late: true })],
  ['two values of one tag', () => [...birth(max * 2 - 1), sample('t0', { time: stamp + 1 })]],
])('%s stay in one commit: they would not be known again', async (_, records) => {
  await telemetry.append(machineId, records())
  expect(await samplesPerCommit()).toEqual([max * 2])
})

it('values stamped before the machine changed hands stay in one commit', async () => {
  await sql`update machines set owned_since = ${new Date(stamp + 1)} where id = ${machineId}`.execute(
    database.db,
  )
  telemetry = await open(() => stamp + 10)
  await telemetry.append(machineId, birth(max * 2))
  expect(await samplesPerCommit()).toEqual([max * 2])
})
