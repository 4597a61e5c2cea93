import type pg from 'pg'
import { type Database, withClient } from '../../../kernel/database/database.ts'
import { Slices } from '../../../kernel/slices.ts'
import type { AverageStep } from './averages.ts'
import { readRows, readRowsOfEach } from './binary-rows.ts'
import type { ChunkSamples } from './chunk.ts'
import {
  chunksQuery,
  fetchChunks,
  fetchHours,
  type HourSpan,
  hoursAmong,
  hoursOf,
  inTime,
  nearestChunksQuery,
  type StoredChunk,
  TooManySamples,
  touching,
} from './chunk-fetch.ts'
import { endOf, hourMs, startOf } from './chunk-rows.ts'
import { averagesQuery, type Coverage, coverageOf } from './covered-hours.ts'
import type { DamagedChunks, DamagedSpan } from './damaged-chunks.ts'
import { NearestPoint } from './point-takers.ts'
import { idList, nearestRowsQuery, sampleRowsQuery, type TimeSpan, type TypedTag } from './sample-rows.ts'
import { type DamagedAverages, type DamagedBlock, TagSamples, type Taking } from './tag-samples.ts'
import type { TailReader } from './tail-reader.ts'

export { TooManySamples } from './chunk-fetch.ts'
export type { TimeSpan, TypedTag } from './sample-rows.ts'
export type { Taking } from './tag-samples.ts'

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
  /** More samples are not read: `TooManySamples` is thrown. */
  readonly samplesMax?: number | undefined
  /** Number of samples of each tag, if only the first ones are wanted. */
  readonly firstOfEach?: number | undefined
  /** Hours that averages cover completely are read from them. */
  readonly averages?: AverageStep | undefined
  /** Hours of tags that are read by samples all the same, where samples are kept. */
  readonly opened?: OpenedHours | undefined
}

/** Hours since 1970, by tag. */
export type OpenedHours = ReadonlyMap<number, ReadonlySet<number>>

/**
 * Reads samples from all places: the tail, chunks, and the rows of former versions. The tail is read first, so that
 * samples that are flushed meanwhile are seen twice and not missed; rows are read before chunks, because they move
 * there.
 */
export class SampleReads {
  readonly #db: Database
  readonly #tail: TailReader
  readonly #damaged: DamagedChunks
  #chunksDecoded = 0

  constructor(options: { samplesDb: Database; tail: TailReader; damaged: DamagedChunks }) {
    this.#db = options.samplesDb
    this.#tail = options.tail
    this.#damaged = options.damaged
  }

  /** Chunks that were decoded since the start. */
  get chunksDecoded(): number {
    return this.#chunksDecoded
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
        {
          chunks: found.get(tag.id) ?? [],
          before: rows.get(tag.id),
          after: tail.get(tag.id),
          fetchInstead: (damaged) => this.#fetchInstead(tag, damaged, { ...options, span, slices }),
        },
      )
      for await (const block of samples.blocks(slices, { coverage: coverages.get(tag.id) })) {
        if (typeof block !== 'number') spans.push(this.#tell(block))
        else {
          taken += block
          if (options.samplesMax !== undefined && taken > options.samplesMax) throw new TooManySamples()
        }
        if (tag.taker.isFull) break
      }
      this.#chunksDecoded += samples.chunksDecoded
      // If parts repeat each other's samples, the first hours contain fewer than their counts.
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
    // Rows first, in one way to the database with the chunks.
    const rowsOf = nearestRowsQuery(tags, span, end)
    const chunksOf = nearestChunksQuery(tags, { span, end })
    await withClient(this.#db, (client) => readRowsOfEach(client, [rowsOf, chunksOf], slices))
    const [rows, found] = [rowsOf.finish(), chunksOf.finish()]
    for (const tag of tags) {
      const taker = new NearestPoint(tag.id, end)
      const chunks = found.get(tag.id) ?? []
      const samples = new TagSamples({ ...tag, taker }, span, {
        chunks,
        before: rows.get(tag.id),
        after: tail.get(tag.id),
      })
      for await (const block of samples.blocks(slices, { begin: end })) {
        if (typeof block !== 'number') damaged.push(this.#tell(block))
        if (taker.point) break
      }
      this.#chunksDecoded += samples.chunksDecoded
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
      const rows = sampleRowsQuery(tags, span, { rowsMax: Math.max(0, max - count) })
      await readRowsOfEach(client, [rows], slices)
      for (const { times } of rows.finish().values()) count += times.length
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
  ): Promise<Fetched> {
    const coverages = new Map<number, Coverage>()
    const ends = new Map<number, number>()
    const { tags, span, tail, slices, averages: step, samplesMax, firstOfEach, opened } = query
    const rowsMax = samplesMax === undefined ? undefined : samplesMax + 1
    const rowsOf = sampleRowsQuery(tags, span, { rowsMax, firstOfEach })
    const takers = step === undefined ? [] : tags.filter(({ taker }) => taker.takeAverages !== undefined)
    const whole = [hoursOf(span)]
    if (takers.length === 0 && firstOfEach === undefined) {
      const chunksOf = chunksQuery(new Map(tags.map((tag) => [tag, whole])), { span, countMax: samplesMax })
      await readRowsOfEach(client, chunksOf ? [rowsOf, chunksOf] : [rowsOf], slices)
      return { found: chunksOf?.finish() ?? new Map(), rows: rowsOf.finish(), coverages, ends }
    }
    const averagesOf =
      step === undefined ? undefined : averagesQuery(takers, { span, step, damaged: this.#damaged })
    await readRowsOfEach(client, averagesOf ? [rowsOf, averagesOf] : [rowsOf], slices)
    const rows = rowsOf.finish()
    const kept = await fetchHours(client, opened ?? new Map(), { countMax: samplesMax, slices })
    for (const [tagId, { averages, open }] of averagesOf?.finish() ?? [])
      if (step !== undefined && averages.length > 0)
        coverages.set(
          tagId,
          coverageOf(averages, open, [tail.get(tagId), rows.get(tagId)], {
            ...{ span, step },
            opened: hoursAmong(kept.get(tagId) ?? [], opened?.get(tagId)),
          }),
        )
    const wanted = new Map<TypedTag, readonly HourSpan[]>(
      tags.map((tag) => [tag, coverages.get(tag.id)?.hours ?? whole]),
    )
    if (firstOfEach !== undefined)
      for (const [tag, hour] of await findEnds(client, tags, { span, count: firstOfEach, slices })) {
        wanted.set(tag, [{ from: hoursOf(span).from, to: hour }])
        ends.set(tag.id, hour * hourMs)
      }
    const found = await fetchChunks(client, wanted, { span, countMax: samplesMax, slices })
    for (const [tagId, chunks] of kept) found.set(tagId, inTime([...(found.get(tagId) ?? []), ...chunks]))
    return { found, rows, coverages, ends }
  }

  async #fetchInstead(
    tag: TypedTag,
    { averages: { hours }, error }: DamagedAverages,
    options: { readonly span: TimeSpan; readonly samplesMax?: number | undefined; readonly slices: Slices },
  ): Promise<readonly StoredChunk[]> {
    const [hour = 0, last = 0] = [hours[0], hours.at(-1)]
    this.#damaged.tell({ tagId: tag.id, hour, span: hours.length, part: 0, table: 'sample_averages', error })
    const { span, samplesMax: countMax, slices } = options
    const wanted = new Map([[tag, [{ from: hour, to: last + 1 }]]])
    const found = await withClient(this.#db, (client) =>
      fetchChunks(client, wanted, { span, countMax, slices }),
    )
    return found.get(tag.id) ?? []
  }

  #tell({ chunk, error }: DamagedBlock): DamagedSpan {
    this.#damaged.tell({ ...chunk, table: 'sample_chunks', error })
    return { tagId: chunk.tagId, from: startOf(chunk), to: endOf(chunk) }
  }
}

/** All that a stretch of time of some tags is read from. */
interface Fetched {
  readonly found: ReadonlyMap<number, readonly StoredChunk[]>
  readonly rows: ReadonlyMap<number, ChunkSamples>
  readonly coverages: ReadonlyMap<number, Coverage>
  /** The times at which the reading of a tag ends early. */
  readonly ends: ReadonlyMap<number, number>
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
