import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withClient } from '../../../kernel/database/database.ts'
import { silentLogger } from '../../../kernel/logger.ts'
import { listBuckets, listRawPoints } from '../history-store.ts'
import { copyParts, ensureChunkDays, hourMs, hourOf, nextPart } from './chunk-rows.ts'
import { DamagedChunks } from './damaged-chunks.ts'
import { Folding } from './fold.ts'
import { plainReads } from './sample-store.ts'

const start = Date.UTC(2026, 10, 18)
const hour = hourOf(start)
const dayMs = 24 * hourMs
const span = { from: start, to: start + 2 * dayMs }
const tags = [1, 2, 3].map((id) => ({ id, type: 'float64' as const }))

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
  await ensureChunkDays(database.db, [hour, hour + 24], start)
})

afterEach(() => database.drop())

const fold = () =>
  new Folding({ samplesDb: database.db, logger: silentLogger, damaged: new DamagedChunks(silentLogger) })

/** Two parts of an hour of each tag, a sample every two seconds. */
async function addHour(at: number, stepMs = 2_000) {
  for (const offset of [0, stepMs / 2])
    await withClient(database.db, async (client) => {
      const times = Array.from(
        { length: hourMs / stepMs },
        (_, place) => at * hourMs + offset + place * stepMs,
      )
      const part = await nextPart(client)
      const samples = {
        times,
        qualities: times.map(() => 192),
        lates: times.map(() => 0),
        filled: times.map(() => 1),
        column: { type: 'float64' as const, values: times.map((_, place) => part * 100 + (place % 50) / 10) },
        stamps: new Map(times.map((time, place) => [place, time - 3])),
      }
      await copyParts(
        client,
        part,
        tags.map(({ id }) => ({ tagId: id, hour: at, span: 1, samples })),
      )
    })
}

async function seen() {
  const reads = plainReads(database.db)
  const averaged = await listBuckets(
    reads,
    tags.map((tag) => ({ ...tag, agg: 'sum' as const })),
    span,
    60_000,
  )
  const raw = await listRawPoints(reads, tags, span, 20_000)
  const round = (value: unknown) => Number(Number(value).toPrecision(9))
  return {
    sums: [...averaged.rows].map(([id, rows]) => [id, rows.map(({ at, value }) => [at, round(value)])]),
    raw: [...raw.rows].map(([id, rows]) => [id, rows.map(({ at, value }) => [at, value])]),
  }
}

const parts = async () =>
  (
    await sql<{ count: number }>`select count(*)::int as count from sample_chunks where part <> 0`.execute(
      database.db,
    )
  ).rows[0]?.count

/** Cuts the connection that folds off where it first does this, as a kill of its process does. */
async function cutOffAt(table: string, event: 'insert' | 'delete', when: 'before' | 'after') {
  await sql
    .raw(`create or replace function cut_off() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create trigger cut_off ${when} ${event} on ${table} for each statement execute function cut_off()`)
    .execute(database.db)
}

const steps = [
  ['sample_chunks', 'delete', 'before'],
  ['sample_chunks', 'delete', 'after'],
  ['sample_chunks', 'insert', 'before'],
  ['sample_chunks', 'insert', 'after'],
  ['sample_averages', 'insert', 'before'],
  ['sample_averages', 'insert', 'after'],
] as const

test('a fold that is cut off at any step changes nothing that a reader sees, and is done by the next', async () => {
  await addHour(hour)
  await addHour(hour + 30, 120_000)
  const before = await seen()
  for (const [table, event, when] of steps) {
    await cutOffAt(table, event, when)
    await expect(fold().run(start + 3 * dayMs), `${when} ${event} on ${table}`).rejects.toThrow()
    expect(await parts()).toBe(12)
    expect(await seen()).toEqual(before)
    await sql.raw(`drop trigger cut_off on ${table}`).execute(database.db)
  }
  await fold().run(start + 3 * dayMs)
  expect(await parts()).toBe(0)
  expect(await seen()).toEqual(before)
})

test('two processes that fold at once fold each hour once', async () => {
  for (const place of [0, 1, 2]) await addHour(hour + place)
  const before = await seen()
  await Promise.all([fold().run(start + 10 * hourMs), fold().run(start + 10 * hourMs)])
  // One of them may have waited for the other.
  await fold().run(start + 10 * hourMs)
  const { rows } = await sql<{ hour: number; count: number }>`
    select hour - ${hour} as hour, sum(count)::int as count from sample_chunks where part = 0 group by hour order by hour`.execute(
    database.db,
  )
  expect(rows).toEqual([0, 1, 2].map((place) => ({ hour: place, count: 3 * 3_600 })))
  expect(await parts()).toBe(0)
  expect(await seen()).toEqual(before)
})

test('an hour that is not over is not folded', async () => {
  await addHour(hour)
  await fold().run(start + hourMs + 60_000)
  expect(await parts()).toBe(6)
  await fold().run(start + hourMs + 6 * 60_000)
  expect(await parts()).toBe(0)
})

test('the backlog is the age of the oldest hour that waits', async () => {
  await addHour(hour)
  await addHour(hour + 1)
  const now = start + 5 * hourMs
  // An hour is closed five minutes after its end.
  expect(await fold().backlogMs(now)).toBe(4 * hourMs - 5 * 60_000)
  await fold().run(start + hourMs + 6 * 60_000)
  expect(await fold().backlogMs(now)).toBe(3 * hourMs - 5 * 60_000)
  await fold().run(now)
  expect(await fold().backlogMs(now)).toBe(0)
})

test('a part that comes while an hour is folded is noticed, and folded by the next run', async () => {
  await addHour(hour)
  const folding = fold().run(start + 3 * hourMs)
  await addHour(hour, 600_000)
  const before = await seen()
  await folding
  expect(await seen()).toEqual(before)
  await fold().run(start + 3 * hourMs)
  expect(await parts()).toBe(0)
  expect(await seen()).toEqual(before)
})

test('averages of a tag with two samples a minute answer when its samples are deleted', async () => {
  const minutes = () => averagesIn(60_000)
  const hours = () => averagesIn(hourMs)
  await addHour(hour, 60_000)
  const before = { minutes: await minutes(), hours: await hours() }
  await fold().run(start + 2 * dayMs + 3 * hourMs)
  await sql`delete from sample_chunks`.execute(database.db)
  expect({ minutes: await minutes(), hours: await hours() }).toEqual(before)
  expect(before.minutes.map(([, rows]) => (rows as unknown[]).length)).toEqual([60, 60, 60])
})

test('a sample that comes when the chunks of its hour are deleted leaves the averages as they are', async () => {
  await addHour(hour, 60_000)
  await fold().run(start + 2 * dayMs + 3 * hourMs)
  const before = await averagesIn(hourMs)
  await sql`delete from sample_chunks`.execute(database.db)
  await addHour(hour, hourMs)
  await fold().run(start + 2 * dayMs + 4 * hourMs)
  await sql`delete from sample_chunks`.execute(database.db)
  expect(await averagesIn(hourMs)).toEqual(before)
})

test('samples that come when the chunks of their hour are deleted leave its averages, however many they are', async () => {
  await addHour(hour, 60_000)
  // Its minutes are a row of the hour, before its day is over.
  await fold().run(start + 2 * hourMs)
  const before = await averagesIn(60_000)
  await sql`delete from sample_chunks`.execute(database.db)
  await addHour(hour, 2_000)
  await fold().run(start + 3 * hourMs)
  await sql`delete from sample_chunks`.execute(database.db)
  expect(await averagesIn(60_000)).toEqual(before)
  // Now they are in the row of the day.
  await addHour(hour, 2_000)
  await fold().run(start + 2 * dayMs + 4 * hourMs)
  await sql`delete from sample_chunks`.execute(database.db)
  expect(await averagesIn(60_000)).toEqual(before)
})

test('a late sample of an hour whose chunks are there is in its averages', async () => {
  await addHour(hour, 60_000)
  await fold().run(start + 2 * hourMs)
  const sums = async () => (await averagesIn(hourMs)).map(([, rows]) => (rows as unknown[][])[0]?.[4])
  expect(await sums()).toEqual([120, 120, 120])
  // One every 20 s: a time in three is there already, and counts once.
  await addHour(hour, 40_000)
  await fold().run(start + 2 * dayMs + 4 * hourMs)
  await sql`delete from sample_chunks`.execute(database.db)
  expect(await sums()).toEqual([240, 240, 240])
})

async function averagesIn(intervalMs: number) {
  const { rows } = await listBuckets(
    plainReads(database.db),
    tags.map((tag) => ({ ...tag, agg: 'avg' as const })),
    span,
    intervalMs,
  )
  const round = (value: unknown) => Number(Number(value).toPrecision(12))
  return Array.from(rows, ([id, found]) => [
    id,
    found.map(({ at, value, low, high, samples }) => [at, round(value), low, high, samples]),
  ])
}
