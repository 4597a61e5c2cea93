import { createMachine } from '@busbar/testkit/builders.ts'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withClient } from '../../../kernel/database/database.ts'
import { silentLogger } from '../../../kernel/logger.ts'
import { readHistory } from '../history.ts'
import { copyParts, ensureChunkDays, foldedPart, hourMs, hourOf, nextPart } from './chunk-rows.ts'
import { DamagedChunks } from './damaged-chunks.ts'
import { Folding } from './fold.ts'
import { SampleReads } from './sample-reads.ts'
import { seal, sealedForm, unseal } from './sealed.ts'
import { noTail } from './tail-reader.ts'

const start = Date.UTC(2026, 10, 18)
const hour = hourOf(start)
const minuteMs = 60_000

let database: TestDatabase
let tagId: number
let told: Record<string, unknown>[]
let damaged: DamagedChunks
let reads: SampleReads
let folding: Folding

beforeEach(async () => {
  database = await createTestDatabase()
  told = []
  damaged = new DamagedChunks({ error: (fields) => told.push(fields as Record<string, unknown>) })
  const samplesDb = database.db
  reads = new SampleReads({ samplesDb, tail: noTail, damaged })
  folding = new Folding({ samplesDb, logger: silentLogger, damaged })
  const { machineId } = await createMachine(database.db)
  const tag = await database.db
    .insertInto('tags')
    .values({ machine_id: machineId, group_name: '', name: 't', type: 'float64' })
    .returning('id')
    .executeTakeFirstOrThrow()
  tagId = tag.id
})

afterEach(() => database.drop())

/** Adds one sample a minute for an hour, as a part of its own. */
async function addHour(at: number, value: number) {
  const times = Array.from({ length: 60 }, (_, minute) => at * hourMs + minute * minuteMs + Math.round(value))
  const samples = {
    times,
    qualities: times.map(() => 192),
    lates: times.map(() => 0),
    filled: times.map(() => 1),
    column: { type: 'float64' as const, values: times.map(() => value) },
    stamps: new Map(),
  }
  await ensureChunkDays(database.db, [at], start)
  await withClient(database.db, async (client) =>
    copyParts(client, await nextPart(client), [{ tagId, hour: at, span: 1, samples }]),
  )
}

/** Flips a bit in a chunk's bytes, the last of which is its values'. */
async function damage(at: number, part?: number) {
  await sql`update sample_chunks set bytes = set_byte(bytes, length(bytes) - 1, get_byte(bytes, length(bytes) - 1) # 1)
    where hour = ${at} and part = coalesce(${part ?? null}::int, (select min(part) from sample_chunks where hour = ${at}))`.execute(
    database.db,
  )
}

const chunks = async () =>
  (
    await sql<{ hour: number; part: number; bytes: string }>`
      select hour, part, encode(bytes, 'hex') as bytes from sample_chunks order by hour, part`.execute(
      database.db,
    )
  ).rows

const read = (agg: 'raw' | 'avg' | 'auto' = 'avg') =>
  readHistory(
    database.db,
    { tagIds: [tagId], from: start, to: start + 3 * hourMs, intervalMs: hourMs, agg },
    start + 3 * hourMs,
    undefined,
    reads,
  )

test('a flipped bit in a chunk shows as a gap and is logged once, and no value of it is drawn', async () => {
  for (const place of [0, 1, 2]) await addHour(hour + place, place + 1)
  await damage(hour + 1)
  for (const agg of ['avg', 'raw', 'auto'] as const) {
    const { series, gaps } = await read(agg)
    expect(gaps).toEqual([[start + hourMs, start + 2 * hourMs]])
    const values = new Set(series[0]?.points.map((point) => point[1]))
    expect([...values]).toEqual([1, 3])
  }
  expect(told).toEqual([expect.objectContaining({ tagId, hour: hour + 1, table: 'sample_chunks' })])
  expect(damaged.count).toBe(1)
})

test('a damaged part is not folded over, and the others of its hour are still read', async () => {
  await addHour(hour, 1)
  await addHour(hour, 2)
  await addHour(hour + 1, 3)
  await damage(hour)
  const before = await chunks()
  await folding.run(start + 4 * 24 * hourMs)
  const after = await chunks()
  expect(after.filter((chunk) => chunk.hour === hour && chunk.part !== foldedPart)).toEqual(
    before.slice(0, 2),
  )
  expect(after.map(({ part }) => part)).toContain(foldedPart)
  const { series, gaps } = await read()
  expect(series[0]?.points.map((point) => point[1])).toEqual([2, 3])
  expect(gaps).toEqual([[start, start + hourMs]])
})

test('damaged averages are left out, and the chunks give the same result', async () => {
  for (const place of [0, 1, 2]) await addHour(hour + place, place + 1)
  await folding.run(start + 10 * hourMs)
  await sql`update sample_averages set bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 1)`.execute(
    database.db,
  )
  const { series, gaps } = await read()
  expect(series[0]?.points.map((point) => point[1])).toEqual([1, 2, 3])
  expect(gaps).toEqual([])
  expect(told).toEqual([expect.objectContaining({ tagId, table: 'sample_averages' })])
})

test('averages with a valid checksum that cannot be decoded are left out, and the chunks give the same result', async () => {
  for (const place of [0, 1, 2]) await addHour(hour + place, place + 1)
  await folding.run(start + 10 * hourMs)
  const { rows } = await sql<{ step: number; hour: number; bytes: Buffer }>`
    select step, hour, bytes from sample_averages where span > 1 or hour = ${hour + 1}`.execute(database.db)
  for (const { step, hour: at, bytes } of rows) {
    const { type, body } = unseal(sealedForm.averages, bytes)
    // The hours are whole, and the columns end early.
    const cut = seal(sealedForm.averages, body.subarray(0, 20), type)
    await sql`update sample_averages set bytes = ${cut} where step = ${step} and hour = ${at}`.execute(
      database.db,
    )
  }
  for (const intervalMs of [hourMs, minuteMs]) {
    const { series, gaps } = await readHistory(
      database.db,
      { tagIds: [tagId], from: start, to: start + 3 * hourMs, intervalMs, agg: 'avg' },
      start + 3 * hourMs,
      undefined,
      reads,
    )
    expect(new Set(series[0]?.points.map((point) => point[1]))).toEqual(new Set([1, 2, 3]))
    expect(series[0]?.points).toHaveLength((3 * hourMs) / intervalMs)
    expect(gaps).toEqual([])
  }
  expect(told).toHaveLength(rows.length)
  expect(told[0]).toMatchObject({ tagId, table: 'sample_averages' })
})
