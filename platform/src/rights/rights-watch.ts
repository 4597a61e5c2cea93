import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import type { DB } from '../database/schema.gen.ts'
import type { Logger } from '../logger.ts'

/** A row of right_changes: whose rights, or which session, changed. */
export interface RightChange {
  readonly id: number
  readonly sessionId: number | null
  readonly userId: number | null
  readonly machineId: number | null
  readonly reason: string
  readonly address: string | null
}

const pollIntervalMs = 500
const freshMs = 1_000
const trustedMs = 5_000
export interface RightsWatchOptions {
  readonly db: Kysely<DB>
  readonly bus: Bus
  readonly logger: Logger
}

/** Whoever holds something open that hangs on a right. */
export interface RightsListener {
  /** Called with each change once, in order of ids within a poll. */
  changed(change: RightChange): void
  /** Called once when the table could not be read for 5 s: what is open must be cut. */
  blind(): void
}

/**
 * Follows right_changes (decision 22): the bus only wakes, the table is read every 500 ms, so that a lost
 * message delays nothing for longer than that.
 */
export class RightsWatch {
  readonly #options: RightsWatchOptions
  /** Changes told that will be read again. */
  #seen = new Set<number>()
  /** Transactions before this one have all ended: what they wrote was read. */
  #horizon: string | null = null
  readonly #listeners = new Set<RightsListener>()
  readonly #unsubscribe: () => void
  /** Who waits, and until which of the wakes is told. */
  readonly #waiting = new Map<() => void, number>()
  #wakes = 0
  #toldWakes = 0
  #timer: NodeJS.Timeout | undefined
  #readAt = 0
  #reading = false
  #again = false
  #blind = false
  #stopped = false

  constructor(options: RightsWatchOptions) {
    this.#options = options
    this.#unsubscribe = options.bus.subscribe('rights', () => {
      this.#wakes++
      void this.#read()
    })
  }

  /** Remembers what stands in the table already and starts to follow it. */
  async start(): Promise<void> {
    this.#seen = new Set((await this.#list()).map(({ id }) => id))
    this.#readAt = performance.now()
    this.#timer = setInterval(() => {
      void this.#read()
      this.#checkSight()
    }, pollIntervalMs)
  }

  /** Answers the function that ends the subscription. */
  subscribe(listener: RightsListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Milliseconds since the table was read. */
  get ageMs(): number {
    return performance.now() - this.#readAt
  }

  /** False when the table was not read for a second: nothing new may be admitted. */
  isFresh(): boolean {
    return this.ageMs < freshMs
  }

  /**
   * Waits until all is told that the bus woke for so far; false when that takes a second. What a call answers as
   * changed holds for whatever comes after its answer.
   */
  async catchUp(): Promise<boolean> {
    if (this.#toldWakes === this.#wakes) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const caughtUp = () => resolve(true)
    this.#waiting.set(caughtUp, this.#wakes)
    const timer = setTimeout(() => resolve(false), freshMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(caughtUp)
    }
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
    this.#unsubscribe()
  }

  async #read(): Promise<void> {
    if (this.#reading) {
      this.#again = true
      return
    }
    this.#reading = true
    try {
      do {
        this.#again = false
        const startedAt = performance.now()
        const wakes = this.#wakes
        const changes = await this.#list()
        this.#readAt = startedAt
        this.#blind = false
        for (const change of changes) if (!this.#seen.has(change.id)) this.#tell(change)
        this.#seen = new Set(changes.map(({ id }) => id))
        this.#toldWakes = wakes
        for (const [caughtUp, upTo] of this.#waiting) if (upTo <= wakes) caughtUp()
      } while (this.#again && !this.#stopped)
    } catch (error) {
      if (!this.#stopped) this.#options.logger.warn({ err: error }, 'right_changes could not be read')
    } finally {
      this.#reading = false
    }
  }

  /** A read that hangs is as blind as one that fails. */
  #checkSight(): void {
    if (this.#blind || performance.now() - this.#readAt <= trustedMs) return
    this.#blind = true
    this.#options.logger.error({}, 'right_changes could not be read for 5 s: what is open is cut')
    this.#tellAll((listener) => listener.blind())
  }

  #tell(change: RightChange): void {
    this.#tellAll((listener) => listener.changed(change))
  }

  /** One that throws must not keep the others from cutting. */
  #tellAll(tell: (listener: RightsListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        tell(listener)
      } catch (error) {
        this.#options.logger.error({ err: error }, 'a change of rights could not be followed')
      }
    }
  }

  /**
   * What transactions wrote that had not ended at the last reading, or have begun since: one that took its id early may
   * commit late. Some of it was read then.
   */
  async #list(): Promise<RightChange[]> {
    const { rows } = await sql<ChangeRow>`
      with sight as (select pg_snapshot_xmin(pg_current_snapshot()) as horizon)
      select horizon::text, id, session_id, user_id, machine_id, reason, address
      from sight left join right_changes on xid >= coalesce(${this.#horizon}::xid8, horizon)
      order by id`.execute(this.#options.db)
    this.#horizon = rows[0]?.horizon ?? this.#horizon
    return rows.flatMap((row) =>
      row.id === null
        ? []
        : [
            {
              id: row.id,
              sessionId: row.session_id,
              userId: row.user_id,
              machineId: row.machine_id,
              reason: row.reason,
              address: row.address,
            },
          ],
    )
  }
}

interface ChangeRow {
  horizon: string
  /** Null: nothing changed. */
  id: number | null
  session_id: number | null
  user_id: number | null
  machine_id: number | null
  reason: string
  address: string | null
}
