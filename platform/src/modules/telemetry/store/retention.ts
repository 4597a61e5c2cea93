import type pg from 'pg'
import { type Database, withClient } from '../../../kernel/database/database.ts'
import { dayMs, dayOf, dropDay, isLockTimeout, listDays } from '../../../kernel/database/day-partitions.ts'
import type { ClockJob } from '../../../kernel/jobs/index.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { chunkDays, hoursPerDay } from './chunk-rows.ts'
import { deleteByTag } from './retention-by-tag.ts'
import {
  keptDays,
  type LengthsInEffect,
  longestOf,
  type SampleLengths,
  usualLengths,
} from './sample-lengths.ts'

const everyS = 3_600
/** Rows of one statement: few enough that it is over within a second. */
const rowsPerDelete = 5_000
/** A batch is tried again within minutes. */
const deleteOldBatches = `delete from ingest_batches where ctid = any(array(
  select ctid from ingest_batches where committed_at < now() - interval '1 day' limit ${rowsPerDelete}))`

/** Removes samples and averages that are past their time. */
export class Retention {
  readonly #db: Database
  readonly #samplesDb: Database
  readonly #batchDbs: readonly Database[]
  readonly #logger: Logger
  readonly #lengths: SampleLengths
  /** The day, and the lengths, for which the last run went through all tags. */
  #goneThrough = ''

  /** `db`: has the list of all tags. `batchDbs`: the databases with ids of batches. */
  constructor(options: {
    db: Database
    samplesDb: Database
    batchDbs: readonly Database[]
    logger: Logger
    lengths?: SampleLengths | undefined
  }) {
    this.#db = options.db
    this.#lengths = options.lengths ?? usualLengths
    this.#samplesDb = options.samplesDb
    this.#batchDbs = options.batchDbs
    this.#logger = options.logger
  }

  get job(): ClockJob {
    return {
      name: 'telemetry.retention',
      everyS,
      atOnce: true,
      run: ({ now, signal }) => this.run(now, signal),
    }
  }

  async run(now: number, signal?: AbortSignal): Promise<void> {
    const lengths = await this.#lengths.read(now)
    const { rawDays, minuteDays, hourDays } = longestOf([keptDays, ...lengths.own])
    const today = dayOf(now)
    const hourBefore = (days: number) => (today - days) * hoursPerDay
    await withClient(this.#samplesDb, (client) => this.#dropDays(client, today - rawDays, signal))
    const at = new Date((today - rawDays) * dayMs).toISOString()
    const deletes = [
      `delete from sample_chunks_rest where ctid = any(array(
         select ctid from sample_chunks_rest where hour + span <= ${hourBefore(rawDays)} limit ${rowsPerDelete}))`,
      `delete from sample_averages where ctid = any(array(
         select ctid from sample_averages where step = 1 and hour < ${hourBefore(minuteDays)} limit ${rowsPerDelete}))`,
      `delete from sample_averages where ctid = any(array(
         select ctid from sample_averages where step = 60 and hour < ${hourBefore(hourDays)} limit ${rowsPerDelete}))`,
      `delete from sample_stamps where ctid = any(array(
         select ctid from sample_stamps where at < '${at}' limit ${rowsPerDelete}))`,
    ]
    for (const text of deletes) await repeat(this.#samplesDb, text, signal)
    for (const db of new Set(this.#batchDbs)) await repeat(db, deleteOldBatches, signal)
    await this.#deleteByTag(lengths, now, signal)
  }

  /** Once a day, and when a space has other lengths: a machine that changed its space may be a day late. */
  async #deleteByTag(lengths: LengthsInEffect, now: number, signal?: AbortSignal): Promise<void> {
    if (lengths.own.length === 0) return
    const wanted = JSON.stringify([dayOf(now), lengths.own])
    if (wanted === this.#goneThrough) return
    const isDone = await deleteByTag({ db: this.#db, samplesDb: this.#samplesDb, lengths, now, signal })
    if (isDone) this.#goneThrough = wanted
  }

  /** Drops the partitions of days before `first`; one that others hold is dropped by the next run. */
  async #dropDays(client: pg.ClientBase, first: number, signal?: AbortSignal): Promise<void> {
    for (const day of await listDays(client, chunkDays)) {
      if (day >= first || signal?.aborted) return
      try {
        await dropDay(client, chunkDays, day)
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        return
      }
      this.#logger.info({ day: new Date(day * dayMs).toISOString().slice(0, 10) }, 'samples.dropped')
    }
  }
}

/** Repeats a statement until it deletes less than it may at once. */
async function repeat(db: Database, text: string, signal?: AbortSignal): Promise<void> {
  await withClient(db, async (client) => {
    for (;;) {
      const { rowCount } = await client.query(text)
      if ((rowCount ?? 0) < rowsPerDelete || signal?.aborted) return
    }
  })
}
