import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Database, withClient } from '../../kernel/database/database.ts'
import {
  createDay,
  type DayNumber,
  type DayPartitioned,
  dayMs,
  dayOf,
  dropDay,
  listDays,
  partitionOf,
} from '../../kernel/database/day-partitions.ts'
import { withoutTimeLimits } from '../../kernel/database/time-limits.ts'
import type { Logger } from '../../kernel/logger.ts'

/** Raw samples are kept this long. */
export const retentionDays = 90
/** Days further back get no partition of their own; what still comes for them lies in `samples_rest`. */
const partitionedDaysMax = 92
const daysAhead = 2
const lockWaitMsMax = 3_000
const turnPollMs = 50

/** Attaching locks `samples_rest`: beside long readers that takes longer than a commit may wait for a lock. */
const samples: DayPartitioned = { table: 'samples', column: 'at', lockWaitMsMax }
const nameOf = (day: DayNumber): string => partitionOf(samples, day)

/** A batch is tried again within minutes. */
const removeOldText = `delete from ingest_batches where committed_at < now() - interval '1 day'`

/** Removes the ids of batches that nobody tries again. */
export async function removeOldBatches(db: Database): Promise<void> {
  await withClient(db, (client) => client.query(removeOldText))
}

/** The daily partitions of `samples`: made ahead and on demand, indexed when closed, dropped when old. */
export class Partitions {
  readonly #db: Database
  readonly #logger: Logger
  readonly #now: () => number
  readonly #known = new Set<DayNumber>()
  /** The backend that does housekeeping, and its end. */
  #backend: number | undefined
  #running: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: { db: Database; logger: Logger; now: () => number }) {
    this.#db = options.db
    this.#logger = options.logger
    this.#now = options.now
  }

  /** Makes the partitions that samples of these days need. */
  async ensure(days: Iterable<DayNumber>): Promise<void> {
    const today = dayOf(this.#now())
    for (const day of days) {
      if (this.#known.has(day) || day < today - partitionedDaysMax || day > today + daysAhead) continue
      await withClient(this.#db, (client) => this.#create(client, day))
      this.#known.add(day)
    }
  }

  /** Makes the partitions of yesterday and of the days that come. */
  async ensureAhead(): Promise<void> {
    const today = dayOf(this.#now())
    await this.ensure(Array.from({ length: daysAhead + 2 }, (_, index) => today - 1 + index))
  }

  /** The work of every hour: days ahead, indexes for closed days, retention. */
  maintain(): Promise<void> {
    this.#running = this.#running.catch(() => {}).then(() => this.#maintain())
    return this.#running
  }

  /** Cuts housekeeping short: an index of a big day takes minutes, and is made again the next time. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#backend !== undefined) {
      await withClient(this.#db, (client) => client.query('select pg_cancel_backend($1)', [this.#backend]))
    }
    await this.#running.catch(() => {})
  }

  async #maintain(): Promise<void> {
    if (this.#isStopped) return
    const today = dayOf(this.#now())
    await this.ensureAhead()
    await withClient(this.#db, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      this.#backend = rows[0]?.pid
      await client.query(`set lock_timeout = ${lockWaitMsMax}`)
      const run = (statement: string) => client.query(statement)
      try {
        await withoutTimeLimits(run, () => this.#maintainDays(client, today))
      } finally {
        this.#backend = undefined
        await client.query('select pg_advisory_unlock_all()')
        await client.query('reset lock_timeout')
      }
    })
  }

  async #maintainDays(client: pg.ClientBase, today: DayNumber): Promise<void> {
    if (!(await this.#takeTurn(client))) return
    const days = await listDays(client, samples)
    for (const day of days) {
      if (this.#isStopped) return
      if (day < today - retentionDays) await this.#drop(client, day)
      else if (day < today) await this.#index(client, day)
    }
    const before = new Date((today - retentionDays) * dayMs)
    await client.query('delete from samples_rest where received_at < $1', [before])
    await client.query('delete from sample_stamps where at < $1', [before])
    await client.query(removeOldText)
  }

  /**
   * One housekeeper at a time: two that build indexes concurrently wait for each other for ever. It asks instead of
   * waiting, because a statement that waits is itself what such an index waits for. False: another one is at it.
   */
  async #takeTurn(client: pg.ClientBase): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < lockWaitMsMax && !this.#isStopped; waitedMs += turnPollMs) {
      const { rows } = await client.query<{ mine: boolean }>(
        `select pg_try_advisory_lock(hashtext('samples housekeeping')) as mine`,
      )
      if (rows[0]?.mine) return true
      await sleep(turnPollMs)
    }
    return false
  }

  async #create(client: pg.ClientBase, day: DayNumber): Promise<void> {
    if (await createDay(client, samples, day)) return
    // As when the clock was far off.
    this.#logger.warn({ day: nameOf(day) }, 'partition.refused')
  }

  /** A day that is over is read by tag: it gets the index that writing could not afford. */
  async #index(client: pg.ClientBase, day: DayNumber): Promise<void> {
    const index = `${nameOf(day)}_tag_at`
    const { rows } = await client.query<{ valid: boolean }>(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`,
      [index],
    )
    if (rows[0]?.valid) return
    // Left by one that was interrupted.
    if (rows[0]) await client.query(`drop index ${index}`)
    await client.query(`create index concurrently ${index} on ${nameOf(day)} (tag_id, at)`)
  }

  async #drop(client: pg.ClientBase, day: DayNumber): Promise<void> {
    await dropDay(client, samples, day)
    this.#known.delete(day)
    this.#logger.info({ day: nameOf(day) }, 'partition.dropped')
  }
}
