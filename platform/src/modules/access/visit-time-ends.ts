import { type Kysely, sql } from 'kysely'
import type { Bus } from '../../bus/bus.ts'
import type { DB } from '../../database/schema.gen.ts'
import type { Logger } from '../../logger.ts'

const checkIntervalMs = 2_000

/**
 * Tells of visit times that run out by themselves, as of any change of rights: a page shows the end without being
 * asked. What is open does not wait for it; visits and watches have the end on their own clocks.
 */
export class VisitTimeEnds {
  readonly #deps: { db: Kysely<DB>; bus: Bus; logger: Logger; now(): number }
  #toldUntil = 0
  #timer: NodeJS.Timeout | undefined

  constructor(deps: { db: Kysely<DB>; bus: Bus; logger: Logger; now(): number }) {
    this.#deps = deps
  }

  start(): void {
    this.#toldUntil = this.#deps.now()
    this.#timer = setInterval(() => {
      this.check().catch((error) => this.#deps.logger.warn({ err: error }, 'ended visit times were not told'))
    }, checkIntervalMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Tells of the ends since the last look. */
  async check(): Promise<void> {
    const now = this.#deps.now()
    const { numAffectedRows } = await sql`
      insert into right_changes (user_id, machine_id, reason)
      select user_id, machine_id, 'visitTime' from machine_grants
      where until > ${new Date(this.#toldUntil)} and until <= ${new Date(now)}`.execute(this.#deps.db)
    this.#toldUntil = now
    if (numAffectedRows) this.#deps.bus.publish('rights', {})
  }
}
