import { createTestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { withClient } from '../../../kernel/database/database.ts'
import { type ChunkSamples, decodeChunk } from './chunk.ts'
import {
  type ChunkPart,
  copyParts,
  ensureChunkDays,
  hourMs,
  hourOf,
  mergeSamples,
  nextPart,
} from './chunk-rows.ts'

const start = Date.UTC(2026, 10, 20, 12)

function samples(more: readonly (readonly [at: number, value: number | null])[]): ChunkSamples {
  const values = more.flatMap(([, value]) => value ?? [])
  return {
    times: more.map(([at]) => start + at),
    qualities: more.map(() => 192),
    lates: more.map(() => 0),
    filled: more.map(([, value]) => (value === null ? 0 : 1)),
    column: { type: 'float64', values },
    stamps: new Map(more.map(([at], place) => [place, start + at + 7])),
  }
}

const shown = ({ times, filled, column, stamps }: ChunkSamples) => {
  let place = 0
  return Array.from(times, (at, sample) => [
    at - start,
    filled[sample] === 1 ? column.values[place++] : null,
    (stamps.get(sample) as number) - start,
  ])
}

test('samples of several sources are merged in order of time, and the first that came wins a time', () => {
  const early = samples([
    [0, 1],
    [20, null],
    [40, 5],
  ])
  const mixed = samples([
    [40, 6],
    [10, 2],
    [10, 3],
    [20, 4],
  ])
  expect(shown(mergeSamples([early, mixed, samples([[50, 7]])]))).toEqual([
    [0, 1, 7],
    [10, 2, 17],
    [20, null, 27],
    [40, 5, 47],
    [50, 7, 57],
  ])
  expect(shown(mergeSamples([mixed]))).toEqual([
    [10, 2, 17],
    [20, 4, 27],
    [40, 6, 47],
  ])
})

test('parts are written as chunks in the partition of their day, and read as they were', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  const hour = hourOf(start)
  await ensureChunkDays(db, [hour, hour + 1], start)
  await ensureChunkDays(db, [hour - 24 * 4_000], start)
  async function* parts(): AsyncGenerator<ChunkPart> {
    yield { tagId: 7, hour, span: 1, samples: samples([[0, 1.5]]) }
    yield { tagId: 8, hour, span: 1, samples: samples([]) }
    yield { tagId: 7, hour: hour - 24 * 4_000, span: 24, samples: samples([[-24 * 4_000 * hourMs, 2]]) }
  }
  const written = await withClient(db, async (client) => {
    const first = await nextPart(client)
    expect(await nextPart(client)).toBe(first + 1)
    return copyParts(client, first, parts())
  })
  expect(written).toBe(2)
  const { rows } = await sql<{ home: string; bytes: Buffer; count: number; span: number }>`
    select tableoid::regclass::text as home, bytes, count, span from sample_chunks order by hour desc`.execute(
    db,
  )
  expect(rows.map(({ home, count, span }) => [home, count, span])).toEqual([
    ['sample_chunks_20261120', 1, 1],
    ['sample_chunks_rest', 1, 24],
  ])
  expect(shown(decodeChunk(rows[0]?.bytes as Buffer))).toEqual([[0, 1.5, 7]])
  const { rows: stored } = await sql<{ storage: string; options: string[] }>`
    select attstorage::text as storage, reloptions as options from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where relname = 'sample_chunks_20261120' and attname = 'bytes'`.execute(db)
  expect(stored).toEqual([{ storage: 'e', options: ['toast_tuple_target=4080'] }])
})
