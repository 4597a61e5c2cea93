import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Database, withClient } from '../../kernel/database/database.ts'
import { withoutTimeLimits } from '../../kernel/database/time-limits.ts'
import type { Logger } from '../../kernel/logger.ts'

export const dayMs = 86_400_000
/** Raw samples are kept this long. */
export const retentionDays = 90
/** Days further back get no partition of their own; what still comes for them lies in `samples_rest`. */
const partitionedDaysMax = 92
const daysAhead = 2
const lockWaitMsMax = 3_000
const turnPollMs = 50

/** Days since the Unix epoch, in UTC. */
export type DayNumber = number

export const dayOf = (at: number): DayNumber => Math.floor(at / dayMs)

const nameOf = (day: DayNumber): string =>
  `samples_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`

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
    const days = await listPartitionDays(client)
    for (const day of days) {
      if (this.#isStopped) return
      if (day < today - retentionDays) await this.#drop(client, day)
      else if (day < today) await this.#index(client, day)
    }
    const before = new Date((today - retentionDays) * dayMs)
    await client.query('delete from samples_rest where received_at < $1', [before])
    await client.query('delete from sample_stamps where at < $1', [before])
    await client.query(`delete from ingest_batches where committed_at < now() - interval '1 day'`)
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
    const name = nameOf(day)
    const from = new Date(day * dayMs).toISOString()
    const to = new Date((day + 1) * dayMs).toISOString()
    try {
      await client.query('begin')
      // Attaching locks `samples_rest`: beside long readers that takes longer than a commit may wait for a lock.
      await client.query(`set local lock_timeout = ${lockWaitMsMax}`)
      // Two who want the same day take turns.
      await client.query(`select pg_advisory_xact_lock(hashtext('samples partitions'))`)
      const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
        name,
      ])
      if (!rows[0]?.there) {
        // Attached, not created as a partition: that would lock out every reader of the other days.
        await client.query(`create table ${name} (like samples including defaults)`)
        await client.query(
          `alter table samples attach partition ${name} for values from ('${from}') to ('${to}')`,
        )
      }
      await client.query('commit')
    } catch (error) {
      if ((error as { code?: string }).code !== '23514') throw error
      // Samples of this day lie in samples_rest already, as when the clock was far off: there they stay.
      await client.query('rollback')
      this.#logger.warn({ day: name }, 'partition.refused')
    }
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
    await client.query(`drop table ${nameOf(day)}`)
    this.#known.delete(day)
    this.#logger.info({ day: nameOf(day) }, 'partition.dropped')
  }
}

async function listPartitionDays(client: pg.ClientBase): Promise<DayNumber[]> {
  const { rows } = await client.query<{ name: string }>(
    `select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
     where inhparent = 'samples'::regclass order by 1`,
  )
  return rows.flatMap(({ name }) => {
    const parts = /^samples_(\d{4})(\d{2})(\d{2})$/.exec(name)
    return parts ? [dayOf(Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])))] : []
  })
}
