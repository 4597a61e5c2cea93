import type { Kysely } from 'kysely'
import { withTransaction } from '../../database/database.ts'
import type { DB } from '../../database/schema.gen.ts'
import type { Logger } from '../../logger.ts'
import { createVisitTimeEnds, createWindowTurns } from './timed-rights-store.ts'

const checkIntervalMs = 2_000

/**
 * Tells of rights that time alone gives or takes, as of any change of rights: visit times that run out, maintenance
 * windows that open and close. A page shows it without being asked. What is open does not wait for it; visits and
 * watches have the end on their own clocks.
 */
export class TimedRights {
  readonly #deps: { db: Kysely<DB>; logger: Logger; now(): number }
  #toldUntil = 0
  #timer: NodeJS.Timeout | undefined

  constructor(deps: { db: Kysely<DB>; logger: Logger; now(): number }) {
    this.#deps = deps
  }

  start(): void {
    this.#toldUntil = this.#deps.now()
    this.#timer = setInterval(() => {
      this.check().catch((error) => this.#deps.logger.warn({ err: error }, 'timed rights were not told'))
    }, checkIntervalMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Tells of what began and ended since the last look. */
  async check(): Promise<void> {
    const now = this.#deps.now()
    const stretch = { from: new Date(this.#toldUntil), to: new Date(now) }
    await withTransaction(this.#deps.db, async (trx) => {
      await createVisitTimeEnds(trx, stretch)
      await createWindowTurns(trx, stretch)
    })
    this.#toldUntil = now
  }
}
