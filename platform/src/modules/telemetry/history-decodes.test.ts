import { createMachine } from '@busbar/testkit/builders.ts'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withClient } from '../../kernel/database/database.ts'
import { readHistory } from './history.ts'
import { copyParts, ensureChunkDays, foldedPart, hourMs, hourOf } from './store/chunk-rows.ts'
import { plainReads } from './store/sample-store.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
/** Noon. */
const start = Date.UTC(2026, 10, 20, 12)
const now = start + 48 * hourMs

let database: TestDatabase
let tagId: number

beforeEach(async () => {
  database = await createTestDatabase()
  const { db } = database
  const { machineId } = await createMachine(db)
  const row = { machine_id: machineId, group_name: '', name: 'pressure', type: 'float64' }
  tagId = (await db.insertInto('tags').values(row).returning('id').executeTakeFirstOrThrow()).id
})

afterEach(() => database.drop())

/** A folded chunk of an hour. Each value is its number of seconds from `start`. */
async function storeHour(from: number, stepMs = secondMs): Promise<void> {
  const { db } = database
  const times = Array.from({ length: hourMs / stepMs }, (_, place) => from + place * stepMs)
  const hour = hourOf(from)
  const one = times.map(() => 1)
  const samples = {
    times,
    qualities: times.map(() => 192),
    lates: times.map(() => 0),
    filled: one,
    column: { type: 'float64', values: times.map((at) => (at - start) / secondMs) } as const,
    stamps: new Map(),
  }
  await ensureChunkDays(db, [hour], now)
  await withClient(db, (client) => copyParts(client, foldedPart, [{ tagId, hour, span: 1, samples }]))
}

/** The history of a stretch, with the number of chunks that were decoded for it. */
async function read(from: number, to: number) {
  const reads = plainReads(database.db)
  const request = { tagIds: [tagId], from, to, intervalMs: secondMs, points: 2_000, agg: 'auto' } as const
  const { series } = await readHistory(database.db, request, now, undefined, reads)
  const [one] = series
  if (!one) throw new Error('no series')
  const { kind, points, before, after } = one
  const told = { kind, points: points.length, before: before?.[1], after: after?.[1] }
  return { ...told, decoded: reads.chunksDecoded }
}

test('a quarter of an hour decoded its chunk three times, for its samples and for those on each side', async () => {
  for (const hour of [-1, 0, 1]) await storeHour(start + hour * hourMs)
  const asked = await read(start + 15 * minuteMs, start + 30 * minuteMs)
  expect(asked).toEqual({ kind: 'raw', points: 900, before: 899, after: 1_800, decoded: 1 })
})

test('the sample before a stretch that begins with its hour is read from one more chunk, the last before it', async () => {
  for (const hour of [-2, -1, 0, 1]) await storeHour(start + hour * hourMs)
  const asked = await read(start, start + 15 * minuteMs)
  expect(asked).toEqual({ kind: 'raw', points: 900, before: -1, after: 900, decoded: 2 })
})

test('the samples beside a stretch are told where its hours have none beside it', async () => {
  await storeHour(start - hourMs, 10 * minuteMs)
  await storeHour(start + hourMs, 10 * minuteMs)
  const asked = await read(start + 5 * minuteMs, start + 20 * minuteMs)
  expect(asked).toEqual({ kind: 'raw', points: 0, before: -600, after: 3_600, decoded: 2 })
})
