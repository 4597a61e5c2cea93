import type pg from 'pg'
import { type Database, withClient } from '../../../kernel/database/database.ts'
import type { AverageStep } from './averages.ts'
import { readRows } from './binary-rows.ts'
import { BytesDamaged } from './byte-reader.ts'
import { type ChunkSamples, decodeChunk } from './chunk.ts'
import {
  fetchChunks,
  fetchNearestChunks,
  type HourSpan,
  hoursOf,
  inArrival,
  type StoredChunk,
  TooManySamples,
  touching,
} from './chunk-fetch.ts'
import { endOf, hourMs, startOf } from './chunk-rows.ts'
import { type Coverage, coverageOf, fetchAverages } from './covered-hours.ts'
import type { DamagedChunks, DamagedSpan } from './damaged-chunks.ts'
import { mergeSamples, placeOf, sliceSamples } from './merge-samples.ts'
import { NearestPoint } from './point-takers.ts'
import { idList, readNearestRows, readSampleRows, type TimeSpan, type TypedTag } from './sample-rows.ts'
import type { SampleTaker } from './sample-taker.ts'
import { Slices } from './slices.ts'
import type { TailReader } from './tail-reader.ts'

export { TooManySamples } from './chunk-fetch.ts'
export type { TimeSpan, TypedTag } from './sample-rows.ts'

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
  /** More samples are not read: `TooManySamples` is thrown. */
  readonly samplesMax?: number | undefined
  /** No more samples of a tag are wanted than its first ones. */
  readonly firstOfEach?: number | undefined
  /** Hours that averages tell whole are read from them. */
  readonly averages?: AverageStep | undefined
}

/** A tag with what takes its samples. */
export interface Taking extends TypedTag {
  readonly taker: SampleTaker
}

/**
 * Reads samples wherever they lie: the tail, chunks, and the rows of former versions. The tail is read first, so that what
 * is flushed meanwhile is seen twice and not missed; rows are read before chunks, because they move there.
 */
export class SampleReads {
  readonly #db: Database
  readonly #tail: TailReader
  readonly #damaged: DamagedChunks

  constructor(options: { samplesDb: Database; tail: TailReader; damaged: DamagedChunks }) {
    this.#db = options.samplesDb
    this.#tail = options.tail
    this.#damaged = options.damaged
  }

  /** Hands each tag's samples to its taker, in the order of their times; answers where some are damaged. */
  async read(tags: readonly Taking[], span: TimeSpan, options: ReadOptions = {}): Promise<DamagedSpan[]> {
    if (tags.length === 0 || span.from >= span.to) return []
    const slices = new Slices(options.signal)
    const tail = await this.#tail.read(
      tags.map(({ id }) => id),
      span.from,
      span.to,
    )
    const { found, rows, coverages, ends } = await withClient(this.#db, (client) =>
      this.#fetch(client, { tags, span, tail, slices, ...options }),
    )
    const spans: DamagedSpan[] = []
    let taken = 0
    for (const tag of tags) {
      const to = Math.min(span.to, ends.get(tag.id) ?? span.to)
      const samples = new TagSamples(
        tag,
        { from: span.from, to },
        { chunks: found.get(tag.id) ?? [], before: rows.get(tag.id), after: tail.get(tag.id) },
      )
      for await (const block of samples.blocks(coverages.get(tag.id), slices)) {
        if (typeof block !== 'number') spans.push(this.#tell(block))
        else {
          taken += block
          if (options.samplesMax !== undefined && taken > options.samplesMax) throw new TooManySamples()
        }
        if (tag.taker.isFull) break
      }
      // Where parts repeat each other's samples the first hours hold fewer than was counted.
      if (to < span.to && !tag.taker.isFull)
        spans.push(...(await this.read([tag], { from: to, to: span.to }, options)))
    }
    return spans
  }

  /** The sample next to a stretch of time of each tag: the last one in it, or the first. */
  async readNearest(
    tags: readonly TypedTag[],
    span: TimeSpan,
    { end, signal }: { readonly end: 'first' | 'last'; readonly signal?: AbortSignal | undefined },
  ): Promise<{ points: Map<number, NonNullable<NearestPoint['point']>>; damaged: DamagedSpan[] }> {
    const points = new Map<number, NonNullable<NearestPoint['point']>>()
    const damaged: DamagedSpan[] = []
    if (tags.length === 0 || span.from >= span.to) return { points, damaged }
    const slices = new Slices(signal)
    const tail = await this.#tail.read(
      tags.map(({ id }) => id),
      span.from,
      span.to,
    )
    const [rows, found] = await withClient(this.#db, async (client) => [
      await readNearestRows(client, tags, span, { end, slices }),
      await fetchNearestChunks(client, tags, { span, end, slices }),
    ])
    for (const tag of tags) {
      const taker = new NearestPoint(tag.id, end)
      const chunks = found.get(tag.id) ?? []
      const samples = new TagSamples({ ...tag, taker }, span, {
        chunks,
        before: rows.get(tag.id),
        after: tail.get(tag.id),
      })
      for await (const block of samples.blocks(undefined, slices))
        if (typeof block !== 'number') damaged.push(this.#tell(block))
      if (taker.point) points.set(tag.id, taker.point)
    }
    return { points, damaged }
  }

  /** About how many samples there are, counted no further than `max`: chunks at the ends count whole. */
  async count(tags: readonly TypedTag[], span: TimeSpan, max: number): Promise<number> {
    if (tags.length === 0 || span.from >= span.to) return 0
    const slices = new Slices()
    const tail = await this.#tail.read(
      tags.map(({ id }) => id),
      span.from,
      span.to,
    )
    let count = 0
    for (const { times } of tail.values()) count += times.length
    await withClient(this.#db, async (client) => {
      const rows = await readSampleRows(client, tags, span, { rowsMax: Math.max(0, max - count), slices })
      for (const { times } of rows.values()) count += times.length
      if (count >= max) return
      const chunks = `select coalesce(sum(count), 0)::bigint from sample_chunks
        where tag_id = any(${idList(tags)}) and ${touching(hoursOf(span))}`
      await readRows(client, chunks, slices, (fields) => {
        count += fields.number()
      })
    })
    return Math.min(count, max)
  }

  async #fetch(
    client: pg.ClientBase,
    query: {
      readonly tags: readonly Taking[]
      readonly span: TimeSpan
      readonly tail: ReadonlyMap<number, ChunkSamples>
      readonly slices: Slices
    } & ReadOptions,
  ) {
    const { tags, span, tail, slices, averages: step, samplesMax, firstOfEach } = query
    const rowsMax = samplesMax === undefined ? undefined : samplesMax + 1
    const rows = await readSampleRows(client, tags, span, { rowsMax, firstOfEach, slices })
    const coverages = new Map<number, Coverage>()
    if (step !== undefined) {
      const takers = tags.filter(({ taker }) => taker.takeAverages !== undefined)
      const withEnds = takers.some(({ taker }) => taker.needsEnds === true)
      const damaged = this.#damaged
      const averages = await fetchAverages(client, takers, { span, step, withEnds, damaged, slices })
      for (const [tagId, { averages: ofTag, open }] of averages)
        if (ofTag.length > 0)
          coverages.set(tagId, coverageOf(ofTag, open, [tail.get(tagId), rows.get(tagId)], { span, step }))
    }
    const whole = [hoursOf(span)]
    const wanted = new Map<TypedTag, readonly HourSpan[]>(
      tags.map((tag) => [tag, coverages.get(tag.id)?.hours ?? whole]),
    )
    const ends = new Map<number, number>()
    if (firstOfEach !== undefined)
      for (const [tag, hour] of await findEnds(client, tags, { span, count: firstOfEach, slices })) {
        wanted.set(tag, [{ from: hoursOf(span).from, to: hour }])
        ends.set(tag.id, hour * hourMs)
      }
    const found = await fetchChunks(client, wanted, { span, countMax: samplesMax, slices })
    return { found, rows, coverages, ends }
  }

  #tell({ chunk, error }: DamagedBlock): DamagedSpan {
    this.#damaged.tell({ ...chunk, table: 'sample_chunks', error })
    return { tagId: chunk.tagId, from: startOf(chunk), to: endOf(chunk) }
  }
}

/** A stretch of fewer hours is read whole at once. */
const wholeHoursMax = 6

/** For tags whose first hours hold the first `count` samples: the end of those hours. */
async function findEnds(
  client: pg.ClientBase,
  tags: readonly TypedTag[],
  { span, count, slices }: { readonly span: TimeSpan; readonly count: number; readonly slices: Slices },
): Promise<Map<TypedTag, number>> {
  const ends = new Map<TypedTag, number>()
  const hours = hoursOf(span)
  if (hours.to - hours.from <= wholeHoursMax) return ends
  const byId = new Map(tags.map((tag) => [tag.id, tag]))
  const query = `select tag_id, min(hours_end) from (
      select tag_id, sum(count) over told as total, max(hour + span) over told as hours_end from sample_chunks
      where tag_id = any(${idList(tags)}) and ${touching(hours)} and hour * ${hourMs}::bigint >= ${Math.ceil(span.from)}
      window told as (partition by tag_id order by hour, part, span)
    ) totals where total >= ${count} group by tag_id`
  await readRows(client, query, slices, (fields) => {
    const tag = byId.get(fields.number())
    const hour = fields.number()
    if (tag && hour < hours.to) ends.set(tag, hour)
  })
  return ends
}

/** A chunk that cannot be read. */
interface DamagedBlock {
  readonly chunk: StoredChunk
  readonly error: unknown
}

/** Chunks whose times overlap. */
interface Group extends TimeSpan {
  readonly chunks: StoredChunk[]
}

/** The samples of one tag: chunks, with rows that came before all of them, and those of the tail, that came after. */
class TagSamples {
  readonly #tag: Taking
  readonly #span: TimeSpan
  readonly #groups: Group[]
  readonly #before: ChunkSamples | undefined
  readonly #after: ChunkSamples | undefined
  readonly #told = new Set<StoredChunk>()
  #merged: { readonly group: Group; readonly sources: readonly ChunkSamples[] } | undefined

  constructor(
    tag: Taking,
    span: TimeSpan,
    samples: {
      readonly chunks: readonly StoredChunk[]
      readonly before: ChunkSamples | undefined
      readonly after: ChunkSamples | undefined
    },
  ) {
    this.#tag = tag
    this.#span = span
    this.#groups = groupsOf(samples.chunks)
    this.#before = samples.before
    this.#after = samples.after
  }

  /** Hands the samples to the taker, a block at a time; yields how many samples of it were read, and damaged ones. */
  async *blocks(coverage: Coverage | undefined, slices: Slices): AsyncGenerator<number | DamagedBlock> {
    let from = this.#span.from
    for (const covered of coverage?.spans ?? []) {
      yield* this.#uncovered(from, covered.from, slices)
      for (const averages of coverage?.averages ?? []) {
        const first = placeOf(averages.starts, covered.from)
        const end = placeOf(averages.starts, covered.to)
        if (first < end) this.#tag.taker.takeAverages?.(averages, first, end)
      }
      from = covered.to
      await slices.next()
    }
    yield* this.#uncovered(from, this.#span.to, slices)
  }

  async *#uncovered(start: number, end: number, slices: Slices): AsyncGenerator<number | DamagedBlock> {
    let from = start
    for (const group of this.#groups) {
      if (group.to <= from) continue
      if (group.from >= end) break
      if (group.from > from) {
        yield this.#take([], from, group.from)
        from = group.from
      }
      const to = Math.min(group.to, end)
      const sources: ChunkSamples[] = []
      for (const block of this.#decode(group)) {
        if ('error' in block) yield block
        else sources.push(block)
      }
      yield this.#take(sources, from, to)
      from = to
      await slices.next()
    }
    if (from < end) yield this.#take([], from, end)
  }

  #decode(group: Group): (ChunkSamples | DamagedBlock)[] {
    if (this.#merged?.group === group) return [...this.#merged.sources]
    const sources: ChunkSamples[] = []
    const damaged: DamagedBlock[] = []
    for (const chunk of inArrival(group.chunks))
      try {
        sources.push(mergeSamples([decodeChunk(chunk.bytes)]))
      } catch (error) {
        if (!(error instanceof BytesDamaged)) throw error
        if (!this.#told.has(chunk)) damaged.push({ chunk, error })
        this.#told.add(chunk)
      }
    this.#merged = { group, sources }
    return [...sources, ...damaged]
  }

  #take(chunks: readonly ChunkSamples[], from: number, to: number): number {
    const { taker } = this.#tag
    const sources = [this.#before, ...chunks, this.#after].filter((samples) => has(samples, from, to))
    const [only] = sources
    if (!only) return 0
    const samples = sources.length === 1 ? only : mergeSamples(sources.map((each) => cut(each, from, to)))
    const first = placeOf(samples.times, from)
    const end = placeOf(samples.times, to)
    taker.take(samples, first, end)
    return end - first
  }
}

const cut = (samples: ChunkSamples, from: number, to: number): ChunkSamples =>
  sliceSamples(samples, placeOf(samples.times, from), placeOf(samples.times, to))

function has(samples: ChunkSamples | undefined, from: number, to: number): samples is ChunkSamples {
  if (!samples) return false
  const { times } = samples
  const place = placeOf(times, from)
  return place < times.length && (times[place] as number) < to
}

function groupsOf(chunks: readonly StoredChunk[]): Group[] {
  const groups: { from: number; to: number; chunks: StoredChunk[] }[] = []
  for (const chunk of chunks) {
    const last = groups.at(-1)
    if (last && startOf(chunk) < last.to) {
      last.to = Math.max(last.to, endOf(chunk))
      last.chunks.push(chunk)
    } else groups.push({ from: startOf(chunk), to: endOf(chunk), chunks: [chunk] })
  }
  return groups
}
