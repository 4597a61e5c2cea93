import type { Kysely, Transaction } from 'kysely'
import { afterCommit, withSavepoint } from '../database/after-commit.ts'
import { withTransaction } from '../database/database.ts'
import { faultOf } from '../database/database-fault.ts'
import type { DB } from '../database/schema.gen.ts'
import type { Logger } from '../logger.ts'
import * as store from './durable-store.ts'
import { factOf } from './facts-store.ts'
import type { DurableFollower } from './follower.ts'

const factsMaxDefault = 200
/** A fact that failed this often is set aside (rules/operations.md: facts). */
const failuresMax = 5
/** Pauses before a fact is tried again. */
const retryPausesMs = [200, 1_000, 5_000, 15_000]
/** Pauses between reads without results: short after a wake, because an older transaction may still run. */
const lookMs = { min: 5, max: 5_000 } as const
/** A position that only passed facts of other kinds is stored this often. */
const restStoredMs = 60_000

export interface DurableLoopOptions {
  readonly db: Kysely<DB>
  readonly logger: Logger
  readonly follower: DurableFollower
  /** For tests: how long a failed fact waits, by the number of failures. */
  readonly retryPausesMs?: readonly number[]
}

/** Counts of a durable follower in this process since its start, and how far behind it is. */
export interface FollowerFigures {
  readonly name: string
  readonly lagMs: number
  readonly handled: number
  readonly failed: number
}

/** At once, after a pause that a wake ends, or when the fact that failed is due. */
type Next = 'more' | 'look' | { readonly dueMs: number }

/** Follows for one durable follower. Several processes have one each; the lock of its cursor lets one act at a time. */
export class DurableLoop {
  readonly #options: DurableLoopOptions
  readonly #name: string
  readonly #kinds: ReadonlySet<string>
  /** The read position of this process; facts of other kinds are passed without being stored. */
  #at: store.Cursor | undefined
  #storedAt = 0
  #pauseMs: number = lookMs.min
  #isWoken = false
  #isStopped = false
  #endPause: (() => void) | undefined
  #running: Promise<void> = Promise.resolve()
  #handled = 0
  #failed = 0

  constructor(options: DurableLoopOptions) {
    this.#options = options
    this.#name = options.follower.name
    this.#kinds = new Set(options.follower.kinds)
  }

  async start(): Promise<void> {
    await store.createCursor(this.#options.db, this.#name)
    this.#at = await store.findCursor(this.#options.db, this.#name)
    this.#storedAt = performance.now()
    this.#running = this.#run()
  }

  /** Whether one of these kinds is its own. */
  follows(kinds: readonly string[]): boolean {
    return kinds.some((kind) => this.#kinds.has(kind))
  }

  /** Something was recorded. */
  wake(): void {
    this.#isWoken = true
    this.#endPause?.()
  }

  /** Ends it after the facts that are being handled. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endPause?.()
    await this.#running
  }

  /** `lagMs`: how long the oldest fact waits that no process has handled. */
  async measure(): Promise<FollowerFigures> {
    const { db, follower } = this.#options
    const from = this.#at ?? (await store.findCursor(db, this.#name))
    const lagMs = await store.readLag(db, this.#name, { from, kinds: follower.kinds })
    return { name: this.#name, lagMs, handled: this.#handled, failed: this.#failed }
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#isWoken = false
      let next: Next
      try {
        next = await this.#step()
      } catch (error) {
        if (this.#isStopped) return
        this.#options.logger.warn({ err: error, follower: this.#name }, 'facts.followFailed')
        next = { dueMs: lookMs.max / 5 }
      }
      if (next === 'more') this.#pauseMs = lookMs.min
      else if (next === 'look') await this.#pause(this.#nextPause(), { wakes: true })
      // Looking before the fact that failed is due would find the same again.
      else await this.#pause(next.dueMs, { wakes: false })
    }
  }

  /** Reads and handles the next facts. */
  async #step(): Promise<Next> {
    const { db, follower } = this.#options
    const from = this.#at ?? (await store.findCursor(db, this.#name))
    const count = follower.factsMax ?? factsMaxDefault
    const batch = await store.readFacts(db, this.#name, { from, kinds: follower.kinds, count })
    const [oldest] = batch.rows
    if (!oldest) {
      this.#at = batch.horizon
      if (performance.now() - this.#storedAt > restStoredMs) await this.#storeRest(batch)
      return 'look'
    }
    const { at, waitMs } = await withTransaction(db, (trx) => this.#handle(trx, batch))
    if (at) this.#at = at
    else if (waitMs === undefined) return 'look'
    return waitMs === undefined ? 'more' : { dueMs: waitMs }
  }

  /**
   * Handles facts that were read, if no other process does; `at` is the follower's position, `waitMs` until the next
   * try.
   */
  async #handle(
    trx: Transaction<DB>,
    batch: store.FactBatch,
  ): Promise<{ at?: store.Cursor; waitMs?: number }> {
    const cursor = await store.lockCursor(trx, this.#name)
    if (!cursor) return {}
    if (!isSame(cursor, batch.stored)) return { at: cursor }
    const dueMs = cursor.retryAt ? cursor.retryAt.getTime() - cursor.now.getTime() : 0
    if (dueMs > 0) return { waitMs: dueMs }
    const done = await this.#follow(trx, cursor, batch.rows)
    const last = batch.rows[done.count - 1]
    // The facts before the one that failed stay handled; it is tried from there.
    const at = last ? { epoch: last.epoch, xid: last.xid, id: last.id, readFrom: cursor.readFrom } : cursor
    if (last) await store.moveCursor(trx, this.#name, at)
    if (done.failure) await store.storeFailure(trx, this.#name, done.failure)
    const { count, failure } = done
    afterCommit(trx, () => {
      this.#handled += count
    })
    return { at, ...(failure ? { waitMs: failure.retryMs } : {}) }
  }

  /** All at once, and where that fails one by one until the one that fails. */
  async #follow(
    trx: Transaction<DB>,
    cursor: store.StoredCursor,
    rows: readonly store.ReadRow[],
  ): Promise<{ count: number; failure?: { factId: number; failures: number; retryMs: number } }> {
    const { follower } = this.#options
    const facts = rows.map(factOf)
    if (cursor.failingId === null) {
      try {
        await withSavepoint(trx, () => follower.follow(trx, facts))
        return { count: facts.length }
      } catch (error) {
        throwFault(error)
        if (facts.length > 1) this.#log(error, { facts: facts.length })
      }
    }
    for (const [place, fact] of facts.entries()) {
      try {
        await withSavepoint(trx, () => follower.follow(trx, [fact]))
      } catch (error) {
        throwFault(error)
        this.#failed++
        const failures = cursor.failingId === fact.id ? cursor.failures + 1 : 1
        this.#log(error, { factId: fact.id, kind: fact.kind, failures })
        if (failures < failuresMax) return { count: place, failure: this.#failureOf(fact.id, failures) }
        await store.setAside(trx, { follower: this.#name, fact, error: messageOf(error), failures })
        return { count: place + 1 }
      }
    }
    return { count: facts.length }
  }

  #failureOf(factId: number, failures: number) {
    const pauses = this.#options.retryPausesMs ?? retryPausesMs
    return { factId, failures, retryMs: pauses[Math.min(failures, pauses.length) - 1] ?? 0 }
  }

  #log(error: unknown, fields: object): void {
    this.#options.logger.warn({ err: error, follower: this.#name, ...fields }, 'fact.handleFailed')
  }

  /** Stores a position that passed only facts of other kinds: the next start has less to look through. */
  async #storeRest(batch: store.FactBatch): Promise<void> {
    this.#storedAt = performance.now()
    await withTransaction(this.#options.db, async (trx) => {
      const cursor = await store.lockCursor(trx, this.#name)
      if (cursor && isSame(cursor, batch.stored)) await store.moveCursor(trx, this.#name, batch.horizon)
    })
  }

  #nextPause(): number {
    const pauseMs = this.#pauseMs
    this.#pauseMs = Math.min(pauseMs * 2, lookMs.max)
    return pauseMs
  }

  async #pause(ms: number, { wakes }: { wakes: boolean }): Promise<void> {
    if (!(this.#isWoken && wakes) && !this.#isStopped)
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(end, ms)
        this.#endPause = () => {
          if (wakes || this.#isStopped) end()
        }
      })
    this.#endPause = undefined
    if (this.#isWoken) this.#pauseMs = lookMs.min
  }
}

const isSame = (one: store.Position, other: store.Position) =>
  one.epoch === other.epoch && one.xid === other.xid && one.id === other.id

/** The text of an error, or its name without a text; never empty, and without NUL, which cannot be stored. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).replaceAll('\0', '').slice(0, 1_000)

/**
 * Throws an error that the database caused: the step is done again until it has room. A fact would be set aside for it.
 * A statement that takes too long counts as the fact's own failure, because it may be so each time.
 */
function throwFault(error: unknown): void {
  const fault = faultOf(error)
  if (fault !== 'none' && fault !== 'slow') throw error
}
