import { createMachine } from '@busbar/testkit/builders.ts'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLocalBus } from '../../../kernel/bus/bus.ts'
import { silentLogger } from '../../../kernel/logger.ts'
import { createTelemetry, type Telemetry } from '../index.ts'

const startedAt = Date.UTC(2026, 10, 20, 12)

let database: TestDatabase
let opened: Telemetry[]

beforeEach(async () => {
  database = await createTestDatabase()
  opened = []
})

afterEach(async () => {
  for (const telemetry of opened) await telemetry.stop()
  await database.drop()
})

async function open(nodeId: string): Promise<Telemetry> {
  const telemetry = createTelemetry({
    db: database.db,
    bus: createLocalBus(silentLogger),
    logger: silentLogger,
    now: () => startedAt,
    nodeId,
  })
  opened.push(telemetry)
  await telemetry.start()
  return telemetry
}

const append = (telemetry: Telemetry, machineId: number, minutesAgo: number, value: number) =>
  telemetry.append(machineId, [
    {
      kind: 'sample',
      group: '',
      tag: 't',
      type: 'float64',
      value,
      quality: 192,
      time: startedAt - minutesAgo * 60_000,
      late: true,
    },
  ])

async function read(telemetry: Telemetry, machineId: number): Promise<unknown[]> {
  const [tag] = await telemetry.listTags(machineId, 'en')
  const span = { from: startedAt - 3_600_000, to: startedAt + 1_000 }
  const { series } = await telemetry.history({ tagIds: [tag?.tagId ?? 0], ...span, agg: 'raw', points: 100 })
  return series[0]?.points.map((point) => point[1]) ?? []
}

test('a process reads rows that another one has acknowledged and not written as chunks', async () => {
  const [holder, other] = [await open('holder'), await open('other')]
  const { machineId } = await createMachine(database.db)
  await append(holder, machineId, 20, 1)
  await append(holder, machineId, 10, 2)
  expect(await read(other, machineId)).toEqual([1, 2])
  // A sample that both have at one time counts once.
  await append(other, machineId, 10, 2)
  await append(other, machineId, 15, 3)
  expect(await read(other, machineId)).toEqual([1, 3, 2])
  await holder.flush()
  expect(await read(other, machineId)).toEqual([1, 3, 2])
  await append(holder, machineId, 5, 4)
  expect(await read(other, machineId)).toEqual([1, 3, 2, 4])
})

test('other processes read everything that a stopped process left in its log', async () => {
  const holder = await open('holder')
  const { machineId } = await createMachine(database.db)
  await append(holder, machineId, 20, 1)
  await holder.stop()
  const other = await open('other')
  expect(await read(other, machineId)).toEqual([1])
})
