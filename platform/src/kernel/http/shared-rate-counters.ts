import { createHash } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { withClient } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import type { Counter, RateCounters } from './rate-counters.ts'

const sweepMs = 60_000
/** Refusals that a process remembers, so that a flood costs the database nothing. */
const refusedMax = 10_000

interface Options {
  readonly db: Database
  /** For limits that only protect one process from load. */
  readonly local: RateCounters
  readonly logger: Logger
}

/**
 * Counters of all processes on one database. Limits against guessing are counted there: otherwise each process would give
 * as many tries again. The window of a key begins with its first try.
 */
export class SharedRateCounters implements RateCounters {
  readonly #options: Options
  /** Until when keys are used up, epoch milliseconds. */
  readonly #refused = new Map<string, number>()
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(options: Options) {
    this.#options = options
  }

  async take(counters: readonly Counter[], now: number): Promise<{ retryIn: number } | undefined> {
    const shared = sharedOf(counters)
    const own = counters.filter(({ isShared }) => !isShared)
    const { local } = this.#options
    const refused = await local.take(own, now)
    if (refused || shared.length === 0) return refused
    const retryIn = this.#retryIn(shared, now) ?? (await this.#count(shared, now))
    if (retryIn === undefined) return undefined
    await local.giveBack(own, now)
    return { retryIn }
  }

  async giveBack(counters: readonly Counter[], now: number): Promise<void> {
    await this.#options.local.giveBack(
      counters.filter(({ isShared }) => !isShared),
      now,
    )
    const shared = sharedOf(counters)
    if (shared.length === 0) return
    await withClient(this.#options.db, (client) =>
      client.query(
        `update rate_counts set tries = greatest(tries - 1, 0)
         from unnest($1::text[], $2::text[]) as given (counted, key)
         where rate_counts.counted = given.counted and rate_counts.key = given.key and ends_at > $3`,
        [shared.map(({ group }) => group), shared.map(({ key }) => key), new Date(now)],
      ),
    )
  }

  async takeMark(key: string, now: number): Promise<boolean> {
    const { rowCount } = await withClient(this.#options.db, (client) =>
      client.query('delete from rate_marks where key = $1 and until > $2', [hashOf(key), new Date(now)]),
    )
    return rowCount === 1
  }

  async putMark(key: string, until: number): Promise<void> {
    await withClient(this.#options.db, (client) =>
      client.query(
        `insert into rate_marks (key, until) values ($1, $2)
         on conflict (key) do update set until = excluded.until`,
        [hashOf(key), new Date(until)],
      ),
    )
  }

  /** Takes a try of each, or of none. */
  async #count(counters: readonly Counter[], now: number): Promise<number | undefined> {
    this.#sweep(now)
    const over = await withClient(this.#options.db, async (client) => {
      await client.query('begin')
      try {
        const { rows } = await client.query<{ counted: string; key: string; tries: number; ends_at: Date }>(
          `insert into rate_counts as kept (counted, key, tries, ends_at)
           select counted, key, 1, $4::timestamptz + make_interval(secs => window_ms / 1000.0)
           from unnest($1::text[], $2::text[], $3::bigint[]) as asked (counted, key, window_ms)
           on conflict (counted, key) do update set
             tries = case when kept.ends_at > $4 then kept.tries + 1 else 1 end,
             ends_at = case when kept.ends_at > $4 then kept.ends_at else excluded.ends_at end
           returning counted, key, tries, ends_at`,
          [
            counters.map(({ group }) => group),
            counters.map(({ key }) => key),
            counters.map(({ windowMs }) => windowMs),
            new Date(now),
          ],
        )
        const maxOf = new Map(counters.map((counter) => [nameOf(counter), counter.max]))
        const found = rows.filter(
          ({ counted, key, tries }) => tries > (maxOf.get(nameOf({ group: counted, key })) ?? 0),
        )
        await client.query(found.length > 0 ? 'rollback' : 'commit')
        return found
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      }
    })
    for (const { counted, key, ends_at } of over)
      this.#remember(nameOf({ group: counted, key }), ends_at.getTime())
    return this.#retryIn(counters, now)
  }

  #retryIn(counters: readonly Counter[], now: number): number | undefined {
    const until = counters.flatMap((counter) => this.#refused.get(nameOf(counter)) ?? [])
    const last = Math.max(...until)
    return last > now ? Math.max(1, Math.ceil((last - now) / 1000)) : undefined
  }

  #remember(name: string, until: number): void {
    this.#refused.delete(name)
    this.#refused.set(name, until)
    const [oldest] = this.#refused.keys()
    if (this.#refused.size > refusedMax && oldest !== undefined) this.#refused.delete(oldest)
  }

  /** Removes ended counters and marks, beside the calls. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    const { db, logger } = this.#options
    withClient(db, async (client) => {
      await client.query('delete from rate_counts where ends_at < $1', [new Date(now)])
      await client.query('delete from rate_marks where until < $1', [new Date(now)])
    }).catch((err) => logger.warn({ err }, 'rateCounts.sweepFailed'))
  }
}

/** In one order, so that two calls never wait for each other. */
const sharedOf = (counters: readonly Counter[]): Counter[] =>
  counters
    .filter(({ isShared }) => isShared)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0))

const nameOf = ({ group, key }: Pick<Counter, 'group' | 'key'>): string => `${group} ${key}`

/** Marks name persons and things: the table stores only their hashes. */
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()
