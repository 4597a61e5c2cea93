import { createMachine } from '@busbar/testkit/builders.ts'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withClient } from '../../../kernel/database/database.ts'
import { createDay, dayMs, dayOf, listDays } from '../../../kernel/database/day-partitions.ts'
import { silentLogger } from '../../../kernel/logger.ts'
import { type ChunkSamples, decodeChunk } from './chunk.ts'
import { mergeSamples } from './chunk-rows.ts'
import { oldSamples, RowMover } from './row-mover.ts'

const noon = Date.UTC(2026, 10, 20, 12)
const types = ['float64', 'int64', 'bool', 'string'] as const

let database: TestDatabase
let machineId: number
let tagIds: number[]

beforeEach(async () => {
  database = await createTestDatabase()
  machineId = (await createMachine(database.db)).machineId
  tagIds = []
  for (const type of types) tagIds.push(await createTag(type, type))
})
afterEach(() => database.drop())

async function createTag(name: string, type: string): Promise<number> {
  const row = await database.db
    .insertInto('tags')
    .values({ machine_id: machineId, group_name: '', name, type })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const createDays = (...days: number[]) =>
  withClient(database.db, async (client) => {
    for (const day of days) await createDay(client, oldSamples, day)
  })

/** Rows as version 1.5 wrote them: `count` of each tag, `stepMs` apart, every seventh without a value. */
async function addRows(from: number, count: number, stepMs: number, receivedMs = 0): Promise<void> {
  await sql`
    insert into samples (tag_id, at, received_at, quality, late, num, int, text)
    select tags.id, at, at + make_interval(secs => ${receivedMs / 1_000}),
           case when n % 7 = 0 then 0 when n % 5 = 0 then 64 else 192 end, n % 3 = 0,
           case when type = 'float64' and n % 7 > 0 then n / 10.0 + ${receivedMs} end,
           case when n % 7 > 0 then case type when 'int64' then 9007199254740993 + n when 'bool' then n % 2 end end,
           case when type = 'string' and n % 7 > 0 then '停机 ' || n end
    from tags, generate_series(0, ${count - 1}::int) as n,
         lateral (select ${new Date(from)}::timestamptz + n * make_interval(secs => ${stepMs / 1_000}) as at) taken
    where machine_id = ${machineId}`.execute(database.db)
}

const mover = () =>
  new RowMover({ db: database.db, samplesDb: database.db, logger: silentLogger, now: () => noon })

/** Moves everything. */
async function move(): Promise<void> {
  await mover().run({ signal: new AbortController().signal, progress: async () => {} })
}

const read = ({ times, qualities, lates, filled, column, stamps }: ChunkSamples) => {
  let value = 0
  return Array.from(times, (at, place) => ({
    at,
    quality: qualities[place],
    late: lates[place] === 1,
    value: filled[place] === 1 ? String(column.values[value++]) : null,
    stamp: stamps.get(place) ?? null,
  }))
}

interface Told {
  readonly at: number
  readonly quality: number
  readonly late: boolean
  readonly value: string | null
  readonly stamp: number | null
}

/** The samples that readers see in rows and chunks together: rows first, and the first of each time. */
async function listSeen(): Promise<Map<number, Told[]>> {
  const { rows } = await sql<Told & { tagId: number }>`
    select distinct on (samples.tag_id, samples.at) samples.tag_id as "tagId",
           (extract(epoch from samples.at) * 1000)::float8 as at, quality, late,
           coalesce(num::text, int::text, text) as value, (extract(epoch from stamp) * 1000)::float8 as stamp
    from samples left join sample_stamps using (tag_id, at)
    order by samples.tag_id, samples.at, received_at, samples.ctid`.execute(database.db)
  const { rows: chunks } = await sql<{ tag_id: number; bytes: Buffer }>`
    select tag_id, bytes from sample_chunks order by tag_id, hour, part`.execute(database.db)
  const byTag = Map.groupBy(chunks, (chunk) => chunk.tag_id)
  return new Map(
    tagIds.map((tagId) => {
      const seen = new Map<number, Told>()
      for (const { tagId: of, ...row } of rows) if (of === tagId) seen.set(row.at, row)
      const parts = byTag.get(tagId)?.map(({ bytes }) => decodeChunk(bytes)) ?? []
      const stored = parts.length > 0 ? (read(mergeSamples(parts)) as Told[]) : []
      for (const sample of stored) if (!seen.has(sample.at)) seen.set(sample.at, sample)
      return [tagId, [...seen.values()].sort((a, b) => a.at - b.at)]
    }),
  )
}

const countRows = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from samples`.execute(database.db)).rows[0]
    ?.count

describe('samples of version 1.5 are moved into chunks', () => {
  it('with value, quality, lateness and stamp, of one time the first that arrived, and their partitions go', async () => {
    const today = dayOf(noon)
    await createDays(today - 1, today)
    await addRows(noon - dayMs, 3_000, 10_000)
    await addRows(noon - dayMs + 20_000, 500, 10_000, 5)
    await addRows(noon - 400 * dayMs, 100, 60_000)
    const [first = 0] = tagIds
    await sql`insert into sample_stamps (tag_id, at, stamp) values
      (${first}, ${new Date(noon - dayMs + 10_000)}, ${new Date(noon - dayMs + 777)})`.execute(database.db)
    const before = await listSeen()
    expect([...before.values()].map((samples) => samples.length)).toEqual([3_100, 3_100, 3_100, 3_100])
    expect(before.get(first)?.filter(({ stamp }) => stamp !== null)).toHaveLength(1)

    await move()
    expect(await countRows()).toBe(0)
    expect(await listSeen()).toEqual(before)
    expect(await withClient(database.db, (client) => listDays(client, oldSamples))).toEqual([])
    expect(await mover().isNeeded()).toBe(false)
  })

  it('in steps of which each may be the last one of its process, and readers see the same after each', async () => {
    const today = dayOf(noon)
    await createDays(today - 1, today)
    await addRows(noon - dayMs, 4_000, 20_000)
    await addRows(noon - 200 * dayMs, 50, 1_000)
    const before = await listSeen()
    let steps = 0
    for (; await mover().isNeeded(); steps++) {
      // Ends after the first step, as a process that is killed between two transactions.
      await mover()
        .run({ signal: AbortSignal.abort(), progress: async () => {} })
        .catch(() => {})
      expect(await listSeen()).toEqual(before)
    }
    expect(steps).toBeGreaterThan(5)
    expect(await countRows()).toBe(0)
  })

  it('not by a transaction that was cut short: it writes no chunks and does not move its place', async () => {
    await createDays(dayOf(noon))
    await addRows(noon, 100, 1_000)
    const before = await listSeen()
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'cut short'; end $$`.execute(
      database.db,
    )
    await sql`create trigger refuse after insert on sample_chunks for each row when (new.tag_id = ${sql.lit(tagIds[2])})
      execute function refuse()`.execute(database.db)
    await expect(move()).rejects.toThrow('cut short')
    expect(await listSeen()).toEqual(before)
    const places = await sql`select from sample_moves where samples > 0`.execute(database.db)
    expect(places.rows).toEqual([])
    await sql`drop trigger refuse on sample_chunks`.execute(database.db)
    await move()
    expect(await listSeen()).toEqual(before)
  })

  it('though a former process writes rows of a moved hour again, which do not win over those that were there', async () => {
    await createDays(dayOf(noon))
    await addRows(noon, 100, 1_000)
    const before = await listSeen()
    await move()
    await addRows(noon, 150, 1_000, 9)
    await move()
    const after = await listSeen()
    for (const tagId of tagIds) {
      expect(after.get(tagId)?.slice(0, 100)).toEqual(before.get(tagId))
      expect(after.get(tagId)).toHaveLength(150)
    }
  })

  it('of a fast tag, whose hour is longer than a chunk of one step', async () => {
    const fast = await createTag('fast', 'float64')
    tagIds = [fast]
    await createDays(dayOf(noon))
    await sql`insert into samples (tag_id, at, received_at, quality, late, num)
      select ${fast}, at, at, 192, false, n from generate_series(0, 69_999) as n,
        lateral (select ${new Date(noon)}::timestamptz + n * interval '20 milliseconds' as at) taken`.execute(
      database.db,
    )
    const before = await listSeen()
    await move()
    expect(await countRows()).toBe(0)
    expect(await listSeen()).toEqual(before)
  })

  it('but not those of a former owner of the device', async () => {
    const [gone = 0] = tagIds
    await createDays(dayOf(noon))
    await addRows(noon, 10, 1_000)
    await sql`update tags set disowned_at = now(), retired_at = now() where id = ${gone}`.execute(database.db)
    await move()
    const seen = await listSeen()
    expect(seen.get(gone)).toEqual([])
    expect(seen.get(tagIds[1] ?? 0)).toHaveLength(10)
  })
})
