import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { modelRise, sumOfRise } from '../../../../test-support/counters.ts'
import { withClient } from '../../../kernel/database/database.ts'
import { silentLogger } from '../../../kernel/logger.ts'
import type { HistoryRow } from '../history-rows.ts'
import { listBuckets, listRawPoints } from '../history-store.ts'
import type { TagType } from '../tag-type.ts'
import type { BucketAggregate } from './buckets.ts'
import type { ChunkSamples, ChunkValues } from './chunk.ts'
import {
  type ChunkPart,
  copyParts,
  ensureChunkDays,
  hourMs,
  hourOf,
  mergeSamples,
  movedPart,
  nextPart,
} from './chunk-rows.ts'
import { DamagedChunks } from './damaged-chunks.ts'
import { Folding } from './fold.ts'
import { placeOf, sliceSamples } from './merge-samples.ts'
import { SampleReads } from './sample-reads.ts'

const dayMs = 24 * hourMs
const start = Date.UTC(2026, 10, 18)
const types: readonly TagType[] = ['float64', 'int64', 'bool', 'string']

interface Sample {
  readonly at: number
  readonly quality: number
  readonly value: number | bigint | string | null
}

let database: TestDatabase
let tail: Map<number, ChunkSamples>
let damaged: DamagedChunks
let reads: SampleReads
let folding: Folding
const told: unknown[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  tail = new Map()
  told.length = 0
  damaged = new DamagedChunks({ error: (fields) => told.push(fields) })
  const samplesDb = database.db
  reads = new SampleReads({
    samplesDb,
    damaged,
    tail: {
      read: async (tagIds, from, to) =>
        new Map(
          tagIds.flatMap((tagId) => {
            const samples = tail.get(tagId)
            if (!samples) return []
            return [[tagId, sliceSamples(samples, placeOf(samples.times, from), placeOf(samples.times, to))]]
          }),
        ),
    },
  })
  folding = new Folding({ samplesDb, logger: silentLogger, damaged })
})

afterEach(() => database.drop())

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

function columnsOf(type: TagType, samples: readonly Sample[]): ChunkSamples {
  return {
    times: samples.map(({ at }) => at),
    qualities: samples.map(({ quality }) => quality),
    lates: samples.map(() => 0),
    filled: samples.map(({ value }) => (value === null ? 0 : 1)),
    column: { type, values: samples.flatMap(({ value }) => value ?? []) } as unknown as ChunkValues,
    stamps: new Map(),
  }
}

/** Writes samples as one part, cut into hours. */
async function addPart(tagId: number, type: TagType, samples: readonly Sample[], part?: number) {
  const hours = Map.groupBy(samples, ({ at }) => hourOf(at))
  await ensureChunkDays(database.db, hours.keys(), start)
  const parts = Array.from(hours, ([hour, ofHour]): ChunkPart => {
    const sorted = mergeSamples([columnsOf(type, ofHour)])
    return { tagId, hour, span: 1, samples: sorted }
  })
  await withClient(database.db, async (client) => copyParts(client, part ?? (await nextPart(client)), parts))
}

async function addRows(tagId: number, type: TagType, samples: readonly Sample[]) {
  const of = (column: 'num' | 'int' | 'text') =>
    samples.map(({ value }) =>
      value === null || column !== { float64: 'num', int64: 'int', bool: 'int', string: 'text' }[type]
        ? null
        : String(value),
    )
  await sql`insert into samples (tag_id, at, received_at, quality, late, num, int, text)
    select ${tagId}, to_timestamp(at / 1000.0), to_timestamp(at / 1000.0), quality, false, num, int, text
    from unnest(${samples.map(({ at }) => at)}::float8[], ${samples.map(({ quality }) => quality)}::int[],
      ${of('num')}::float8[], ${of('int')}::int8[], ${of('text')}::text[]) as given (at, quality, num, int, text)`.execute(
    database.db,
  )
}

/** The first of each time, in the order of time. */
function distinct(sources: readonly (readonly Sample[])[]): Sample[] {
  const byTime = new Map<number, Sample>()
  for (const source of sources)
    for (const sample of source) if (!byTime.has(sample.at)) byTime.set(sample.at, sample)
  return [...byTime.values()].sort((a, b) => a.at - b.at)
}

interface Asked {
  readonly type: TagType
  readonly agg: BucketAggregate
  readonly from: number
  readonly to: number
  readonly intervalMs: number
}

/** The expected intervals, calculated one by one. */
function bucketsOf(samples: readonly Sample[], { type, agg, from, to, intervalMs }: Asked) {
  const inside = samples.filter(({ at }) => at >= from && at < to)
  const isNumber = type === 'float64' || type === 'int64'
  const begin = ({ at }: { readonly at: number }) => from + Math.floor((at - from) / intervalMs) * intervalMs
  const groups = Map.groupBy(inside, begin)
  const isCounting = ({ quality }: Sample) => quality === 192 || quality === 64
  const readings = samples.map((one) => ({
    at: one.at,
    value: isCounting(one) ? (one.value as number) : null,
  }))
  const risen = Map.groupBy(isNumber && agg === 'delta' ? modelRise(readings, from, to) : [], begin)
  return Array.from(groups, ([at, ofBucket]) => {
    const known = ofBucket.filter((one) => one.value !== null && isCounting(one))
    const values = known.map(({ value }) => value as number | bigint)
    const [first, last] = [values[0], values.at(-1)]
    const exact =
      type === 'int64' ? values.reduce<bigint>((all, value) => all + BigInt(value), 0n) : undefined
    const total = type === 'float64' ? values.reduce<number>((all, value) => all + Number(value), 0) : exact
    const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const [least, greatest] = [sorted[0], sorted.at(-1)]
    const wanted = isNumber || agg === 'first' || agg === 'count' ? agg : 'last'
    const value = {
      avg: () => Number(total) / values.length,
      sum: () => total,
      min: () => least,
      max: () => greatest,
      delta: () => sumOfRise(risen.get(at) ?? [], type === 'int64'),
      count: () => values.length,
      first: () => first,
      last: () => last,
    }[wanted]()
    const bounds = values.length > 0 && type !== 'string' ? [Number(least), Number(greatest)] : [null, null]
    return {
      at,
      value: values.length === 0 && wanted !== 'count' ? null : value,
      bounds,
      quality: values.length === 0 ? 0 : known.some(({ quality }) => quality === 64) ? 64 : 192,
      samples: ofBucket.length,
    }
  })
}

/** Numbers as they are shown: sums of decimals are equal within rounding. */
function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  return typeof value === 'number' ? Number(value.toPrecision(10)) : value
}

function drawValue(type: TagType, next: () => number): Sample['value'] {
  if (next() < 0.02) return null
  if (type === 'float64') return Math.round(next() * 1e4) / 100
  if (type === 'bool') return next() < 0.5 ? 1 : 0
  if (type === 'string') return `s${Math.floor(next() * 4)}`
  return next() < 0.02
    ? 2n ** 62n + BigInt(Math.floor(next() * 100))
    : BigInt(Math.floor(next() * 1_000) - 500)
}

/** Samples of three days: of a fast hour, of slow ones, with repeats of times. */
function draw(type: TagType, seed: number): Sample[] {
  const next = seeded(seed)
  const samples: Sample[] = []
  for (let at = start; at < start + 3 * dayMs; ) {
    const quality = next() < 0.05 ? 0 : next() < 0.05 ? 64 : 192
    samples.push({ at, quality, value: drawValue(type, next) })
    const isFast = hourOf(at) % 24 === 5 || hourOf(at) % 24 === 6
    at += isFast ? 2_000 + Math.floor(next() * 500) : Math.floor(next() * 20 * 60_000)
  }
  return samples
}

/** Samples thrown to where they may lie, in the order in which the first of each time counts. */
async function scatter(tagId: number, type: TagType, samples: readonly Sample[], next: () => number) {
  const sources: Sample[][] = [[], [], [], [], []]
  for (const sample of samples) {
    const source = Math.floor(next() * 5)
    sources[source]?.push(sample)
    // Sent again with another value: it came later, so it counts for nothing.
    if (source < 4 && next() < 0.02) sources[source + 1]?.push({ ...sample, value: drawValue(type, next) })
  }
  const [rows = [], moved = [], early = [], late = [], kept = []] = sources
  await addRows(tagId, type, rows)
  if (moved.length > 0) await addPart(tagId, type, moved, movedPart)
  await addPart(tagId, type, early)
  await addPart(tagId, type, late)
  tail.set(tagId, mergeSamples([columnsOf(type, kept)]))
  return distinct(sources)
}

const aggregates: BucketAggregate[] = ['avg', 'min', 'max', 'first', 'last', 'sum', 'count', 'delta']

let asked = 0
const nextAggregate = () => aggregates[asked++ % aggregates.length] as BucketAggregate

async function expectBuckets(tagId: number, model: readonly Sample[], asked: Asked): Promise<void> {
  const { type, agg, intervalMs } = asked
  const { rows } = await listBuckets(reads, [{ id: tagId, type, agg }], asked, intervalMs)
  const found = rows.get(tagId)?.map(({ at, value, low, high, quality, samples }) => ({
    at,
    value: shown(value),
    bounds: [low, high],
    quality,
    samples,
  }))
  const wanted = bucketsOf(model, asked).map((row) => ({ ...row, value: shown(row.value) }))
  expect(found, JSON.stringify(asked)).toEqual(wanted)
}

const stretches: [from: number, to: number, intervalMs: number][] = [
  [start, start + 3 * dayMs, hourMs],
  [start + 5 * hourMs, start + 30 * hourMs + 90_000, 600_000],
  [start + 5 * hourMs + 777, start + 7 * hourMs, 61_234],
  [start + 60_000, start + 2 * dayMs + 1, 180_000],
]

async function expectHistory(tagId: number, type: TagType, model: readonly Sample[]): Promise<void> {
  // Each time others, so that all of them are asked in all stretches.
  for (const [from, to, intervalMs] of stretches)
    for (const agg of [nextAggregate(), nextAggregate(), nextAggregate()])
      await expectBuckets(tagId, model, { type, agg, from, to, intervalMs })
  const plain = (points: readonly HistoryRow[] | undefined) =>
    points?.map(({ at, value }) => [at, shown(value)])
  for (const [from, to] of stretches)
    for (const max of [10, 1_000]) {
      const raw = await listRawPoints(reads, [{ id: tagId, type }], { from, to }, max)
      const inside = model.filter(({ at }) => at >= from && at < to).slice(0, max)
      expect(plain(raw.rows.get(tagId))).toEqual(inside.map(({ at, value }) => [at, shown(value)]))
    }
}

describe('samples that lie in rows, parts, moved chunks and the tail', () => {
  for (const type of types)
    test(`read as one history before and after every fold: ${type}`, async () => {
      const tagId = 7
      const samples = draw(type, 11)
      const model = await scatter(tagId, type, samples, seeded(5))
      await expectHistory(tagId, type, model)
      await folding.run(start + 30 * hourMs)
      await expectHistory(tagId, type, model)
      await folding.run(start + 5 * dayMs)
      await expectHistory(tagId, type, model)
    })

  test('are read from averages once nothing else is left, and late ones change those', async () => {
    const samples = draw('float64', 3)
    await addPart(7, 'float64', samples)
    await folding.run(start + 5 * dayMs)
    const { rows: steps } = await sql<{ step: number; span: number; count: number }>`
      select step, span, count(*)::int as count from sample_averages group by 1, 2 order by 1, 2`.execute(
      database.db,
    )
    expect(steps).toEqual([
      { step: 1, span: 24, count: 3 },
      { step: 60, span: 24, count: 3 },
    ])
    const { rows: chunks } = await sql<{ span: number; count: number }>`
      select span, count(*)::int as count from sample_chunks where part = 0 group by 1 order by 1`.execute(
      database.db,
    )
    expect(chunks).toEqual([
      { span: 1, count: 6 },
      { span: 24, count: 3 },
    ])
    await expectHistory(7, 'float64', samples)
    const late = [5, 6, 9].map((hour) => ({ at: start + hour * hourMs + 1_001, quality: 192, value: 1e6 }))
    await addPart(7, 'float64', late)
    const model = distinct([samples, late])
    await expectHistory(7, 'float64', model)
    await folding.run(start + 5 * dayMs)
    expect((await sql`select from sample_chunks where part <> 0`.execute(database.db)).rows).toEqual([])
    await expectHistory(7, 'float64', model)
  })
})
