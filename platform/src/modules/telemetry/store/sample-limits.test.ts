import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withClient } from '../../../kernel/database/database.ts'
import { silentLogger } from '../../../kernel/logger.ts'
import { listBuckets, listRawPoints } from '../history-store.ts'
import type { ChunkSamples } from './chunk.ts'
import { copyParts, ensureChunkDays, hourMs, hourOf, nextPart } from './chunk-rows.ts'
import { DamagedChunks } from './damaged-chunks.ts'
import { Folding } from './fold.ts'
import { SampleReads } from './sample-reads.ts'
import { plainReads } from './sample-store.ts'

const start = Date.UTC(2026, 10, 18)
const dayMs = 24 * hourMs
const tag = { id: 5, type: 'int64' } as const

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(() => database.drop())

function samplesAt(times: readonly number[]): ChunkSamples {
  return {
    times,
    qualities: times.map(() => 192),
    lates: times.map(() => 0),
    filled: times.map(() => 1),
    column: { type: 'int64', values: BigInt64Array.from(times.map((at) => BigInt(at - start))) },
    stamps: new Map(),
  }
}

async function add(times: readonly number[]) {
  const hours = Map.groupBy(times, hourOf)
  await ensureChunkDays(database.db, hours.keys(), start)
  await withClient(database.db, async (client) =>
    copyParts(
      client,
      await nextPart(client),
      Array.from(hours, ([hour, ofHour]) => ({
        tagId: tag.id,
        hour,
        span: 1,
        samples: samplesAt(ofHour.toSorted((a, b) => a - b)),
      })),
    ),
  )
}

const every = (stepMs: number, from: number, to: number) =>
  Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, place) => from + place * stepMs)

const fold = () =>
  new Folding({
    samplesDb: database.db,
    logger: silentLogger,
    damaged: new DamagedChunks(silentLogger),
  }).run(start + 5 * dayMs)

test('a history of more samples than may be read is refused exactly, though its ends lie within chunks', async () => {
  await add(every(60_000, start, start + 6 * hourMs))
  const reads = plainReads(database.db)
  const span = { from: start + 30 * 60_000, to: start + 5 * hourMs + 30 * 60_000 }
  const read = (samplesMax: number) =>
    listBuckets(reads, [{ ...tag, agg: 'count' }], { ...span, samplesMax }, 7_000_000)
  const { rows } = await read(300)
  expect(rows.get(tag.id)?.reduce((sum, row) => sum + row.samples, 0)).toBe(300)
  await expect(read(299)).rejects.toMatchObject({ name: 'TooManySamples' })
})

test('the reading of a history that is no longer wanted ends between two slices', async () => {
  await add(every(1_000, start, start + dayMs))
  const controller = new AbortController()
  const tail = {
    read: async () => {
      controller.abort()
      return new Map()
    },
  }
  const reads = new SampleReads({
    samplesDb: database.db,
    tail,
    damaged: new DamagedChunks(silentLogger),
  })
  const query = { from: start, to: start + dayMs, signal: controller.signal }
  const read = listBuckets(reads, [{ ...tag, agg: 'avg' }], query, 1_234_567)
  await expect(read).rejects.toMatchObject({ name: 'AbortError' })
})

test('the first samples of a long time are read without the chunks after them', async () => {
  await add(every(10_000, start, start + dayMs))
  // The same once more: its counts are higher than the samples.
  await add(every(10_000, start, start + 3 * hourMs))
  const reads = plainReads(database.db)
  for (const count of [1, 500, 2_000]) {
    const { rows } = await listRawPoints(reads, [tag], { from: start + 5_000, to: start + dayMs }, count)
    const points = rows.get(tag.id) ?? []
    expect(points).toHaveLength(count)
    expect(points.at(-1)?.at).toBe(start + count * 10_000)
  }
})

test('the samples beside a stretch are found in the hour, the day or the part that has them', async () => {
  const slow = every(7 * 3_600_000, start, start + 2 * dayMs)
  const fast = every(5_000, start + 10 * hourMs, start + 11 * hourMs)
  await add([...slow, ...fast])
  await fold()
  const late = start + 13 * hourMs + 77
  await add([late])
  const reads = plainReads(database.db)
  const times = [...slow, ...fast, late].sort((a, b) => a - b)
  for (let at = start + hourMs; at < start + 2 * dayMs; at += 23 * 60_000) {
    const before = await reads.readNearest([tag], { from: at - dayMs, to: at }, { end: 'last' })
    expect(before.points.get(tag.id)?.at).toBe(times.findLast((time) => time < at))
    const after = await reads.readNearest([tag], { from: at, to: at + dayMs }, { end: 'first' })
    expect(after.points.get(tag.id)?.at).toBe(times.find((time) => time >= at))
  }
})
