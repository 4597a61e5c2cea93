import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Database, withClient } from '../../../kernel/database/database.ts'
import {
  type DayPartitioned,
  dropDay,
  listDays,
  partitionOf,
} from '../../../kernel/database/day-partitions.ts'
import { withoutTimeLimits } from '../../../kernel/database/time-limits.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { TagType } from '../tag-type.ts'
import { copyParts, ensureChunkDays, movedPart, nextPart } from './chunk-rows.ts'
import { partsOf, type RowBatch, type RowPlace, readRowBatch, stampKey } from './old-rows.ts'

/** Version 1.5 kept each sample as a row, in partitions of days. */
export const oldSamples: DayPartitioned = { table: 'samples', column: 'at', lockWaitMsMax: 3_000 }
const restPartition = 'samples_rest'
const uniqueViolation = '23505'

export interface RowMoverOptions {
  /** The database of tags. */
  readonly db: Database
  readonly samplesDb: Database
  readonly logger: Logger
  readonly now: () => number
}

export interface MoveRun {
  readonly signal: AbortSignal
  progress(done: number, total: number): Promise<void>
}

/** Another process moved the same rows. */
class MovedElsewhere extends Error {
  override name = 'MovedElsewhere'
}

/**
 * Moves the rows of version 1.5 into chunks: a day at a time, the newest first, in small steps, each of which is one
 * transaction with its place. A partition goes once all of it is in chunks; until then readers see its rows in both.
 */
export class RowMover {
  readonly #options: RowMoverOptions

  constructor(options: RowMoverOptions) {
    this.#options = options
  }

  /** Whether there is something to move. */
  async isNeeded(): Promise<boolean> {
    return withClient(this.#options.samplesDb, async (client) => (await listPartitions(client)).length > 0)
  }

  /** Moves everything; throws when aborted, and goes on from there the next time. */
  async run({ signal, progress }: MoveRun): Promise<void> {
    const { samplesDb, logger } = this.#options
    const partitions = await withClient(samplesDb, listPartitions)
    for (const [place, partition] of partitions.entries()) {
      await progress(place, partitions.length)
      const samples = await this.#move(partition, signal)
      signal.throwIfAborted()
      logger.info({ partition: partition.name, samples }, 'samples.moved')
    }
    if (partitions.length > 0) await progress(partitions.length, partitions.length)
  }

  /** Moves one partition; answers the number of its samples so far. */
  async #move({ name, day }: OldPartition, signal: AbortSignal): Promise<number> {
    const { samplesDb } = this.#options
    await withClient(samplesDb, async (client) => {
      await withoutTimeLimits(
        (statement) => client.query(statement),
        () => indexPartition(client, name),
      )
      await client.query('insert into sample_moves (partition) values ($1) on conflict do nothing', [name])
    })
    for (;;) {
      const beganAt = performance.now()
      const { samples, isLast } = await this.#step(name)
      if (isLast) {
        await withClient(samplesDb, (client) =>
          day === undefined ? endRest(client) : dropMoved(client, name, day),
        )
        return samples
      }
      if (signal.aborted) return samples
      // Commits and readers have the database for themselves half of the time.
      await sleep(performance.now() - beganAt, undefined, { signal }).catch(() => {})
    }
  }

  /** Moves the next rows of a partition in one transaction. */
  async #step(partition: string): Promise<{ samples: number; isLast: boolean }> {
    const { db, samplesDb, now } = this.#options
    const { place, samples, batch, stamps } = await withClient(samplesDb, async (client) => {
      const { place, samples } = await readPlace(client, partition)
      const batch = await readRowBatch(client, partition, place)
      return { place, samples, batch, stamps: await readStamps(client, batch) }
    })
    const last = batch.rows.at(-1)
    if (!last) return { samples, isLast: true }
    const types = await listTypes(db, [...new Set(batch.rows.map(({ tagId }) => tagId))])
    const parts = [...partsOf(batch.rows, types, stamps)]
    await ensureChunkDays(samplesDb, new Set(parts.map(({ hour }) => hour)), now())
    const count = samples + batch.rows.length
    const write = (isAgain: boolean) =>
      withClient(samplesDb, async (client) => {
        await client.query('begin')
        // The place first: it waits for a process that moves the same rows.
        const moved = await client.query(
          `update sample_moves set tag_id = $4, micros = $5, samples = $6
           where partition = $1 and tag_id = $2 and micros = $3`,
          [partition, place.tagId, place.micros, last.tagId, last.micros, count],
        )
        if (moved.rowCount !== 1) throw new MovedElsewhere()
        await copyParts(client, isAgain ? await nextPart(client) : movedPart, parts)
        if (partition === restPartition)
          await client.query('delete from samples_rest where ctid = any($1::tid[])', [
            batch.rows.map(({ ctid }) => ctid),
          ])
        await client.query('commit')
      })
    try {
      await write(false)
    } catch (error) {
      if (error instanceof MovedElsewhere) return { samples, isLast: false }
      // The hour has a chunk of version 1.5 already: it is long, or rows came after it was moved.
      if ((error as { code?: string }).code !== uniqueViolation) throw error
      await write(true)
    }
    return { samples: count, isLast: batch.isLast }
  }
}

interface OldPartition {
  readonly name: string
  /** Undefined: the rows of days without a partition. */
  readonly day?: number
}

/** The partitions with rows to move, the newest day first. */
async function listPartitions(client: pg.ClientBase): Promise<OldPartition[]> {
  const days = await listDays(client, oldSamples)
  const { rowCount } = await client.query(`select from ${restPartition} limit 1`)
  return [
    ...days.reverse().map((day) => ({ name: partitionOf(oldSamples, day), day })),
    ...(rowCount ? [{ name: restPartition }] : []),
  ]
}

/** Rows are moved in the order of tags, which only closed days had an index for. */
async function indexPartition(client: pg.ClientBase, partition: string): Promise<void> {
  for (const table of [partition, 'sample_stamps']) {
    const index = `${table}_tag_at`
    const { rows } = await client.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [index],
    )
    if (rows[0]?.valid) continue
    // Left by one that was interrupted.
    if (rows[0]) await client.query(`drop index ${index}`)
    await client.query(`create index concurrently ${index} on ${table} (tag_id, at)`)
  }
}

async function readPlace(
  client: pg.ClientBase,
  partition: string,
): Promise<{ place: RowPlace; samples: number }> {
  const { rows } = await client.query<RowPlace & { samples: number }>(
    'select tag_id as "tagId", micros, samples from sample_moves where partition = $1',
    [partition],
  )
  const [row] = rows
  if (!row) throw new MovedElsewhere()
  return { place: { tagId: row.tagId, micros: row.micros }, samples: row.samples }
}

/** The machine's own stamps of samples stored at another time. */
async function readStamps(client: pg.ClientBase, { rows }: RowBatch): Promise<Map<string, number>> {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return new Map()
  const instant = (parameter: string) =>
    `timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond'`
  const { rows: found } = await client.query<RowPlace & { stamp: number }>(
    `select tag_id as "tagId", (extract(epoch from at) * 1000000)::bigint as micros,
            min(floor(extract(epoch from stamp) * 1000))::float8 as stamp
     from sample_stamps
     where (tag_id, at) >= ($1::bigint, ${instant('$2')}) and (tag_id, at) <= ($3::bigint, ${instant('$4')})
     group by tag_id, at`,
    [first.tagId, first.micros, last.tagId, last.micros],
  )
  return new Map(found.map((row) => [stampKey(row), row.stamp]))
}

async function listTypes(db: Database, tagIds: readonly number[]): Promise<Map<number, TagType>> {
  if (tagIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('tags')
    .select(['id', 'type'])
    .where('id', 'in', [...tagIds])
    .where('disowned_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, type }) => [id, type as TagType]))
}

async function dropMoved(client: pg.ClientBase, partition: string, day: number): Promise<void> {
  await dropDay(client, oldSamples, day, async () => {
    await client.query('delete from sample_moves where partition = $1', [partition])
  })
}

/** Rows may come into the rest again: it is read from its beginning. */
async function endRest(client: pg.ClientBase): Promise<void> {
  await client.query('delete from sample_moves where partition = $1', [restPartition])
}
