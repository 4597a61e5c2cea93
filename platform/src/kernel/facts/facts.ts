import type { Kysely, Transaction } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import { afterCommit, wakeAfterCommit } from '../database/after-commit.ts'
import { type Database, withTransaction } from '../database/database.ts'
import type { DB } from '../database/schema.gen.ts'
import type { Logger } from '../logger.ts'
import { endsWithin, factsStopMsMax } from '../stop-budget.ts'
import { DurableLoop, type FollowerFigures, messageOf } from './durable-loop.ts'
import * as durable from './durable-store.ts'
import { ensureEpoch } from './epoch.ts'
import type { Aside, FactKind, NewFact } from './fact-kinds.ts'
import { keepFactPartitions } from './fact-partitions.ts'
import { type FactRow, factOf, insertFacts, type Recorder } from './facts-store.ts'
import type { DurableFollower, DuringFollower, Follower, LiveFollower } from './follower.ts'
import { StreamFollower } from './stream-follower.ts'

const setAsideListedMax = 1_000

/** A follower failed again with a fact that was set aside. */
export class FactNotHandled extends Error {
  override name = 'FactNotHandled'
}

export interface FactsOptions {
  readonly db: Database
  readonly bus: Bus
  readonly logger: Logger
  now(): number
  /** For tests: how long a failed fact waits before each further try. */
  readonly retryPausesMs?: readonly number[]
}

/** Events: each is recorded in the transaction that made it true, and followed by the modules that act on it. */
export class Facts {
  readonly #options: FactsOptions
  readonly #during: DuringFollower[] = []
  readonly #live: LiveFollower[] = []
  readonly #durable = new Map<string, DurableFollower>()
  readonly #names = new Set<string>()
  readonly #stream: StreamFollower<FactRow>
  #loops: readonly DurableLoop[] = []
  #unsubscribe: (() => void) | undefined
  #isStarted = false
  #recorded = 0
  /** Kinds that plain clients have recorded: after one of their commits these may be new. */
  readonly #plainKinds = new Set<FactKind>()

  constructor(options: FactsOptions) {
    this.#options = options
    this.#stream = new StreamFollower<FactRow>({
      db: options.db,
      bus: options.bus,
      topic: 'facts',
      stream: {
        table: 'facts',
        columns: ['id', 'kind', 'machine_id', 'user_id', 'enterprise_id', 'payload', 'at', 'xid'],
        key: ['id'],
        orderBy: ['xid', 'id'],
        // Transactions last less than a day; older partitions are not read.
        where: `followed.recorded_at >= now() - interval '1 day' and followed.epoch = (select epoch from fact_epoch)`,
      },
      tell: (rows) => this.#tell(rows),
      didFail: (error) => options.logger.warn({ err: error }, 'facts.readFailed'),
    })
  }

  /** Registers a follower; before the start. */
  follow<Kinds extends FactKind>(follower: Follower<Kinds>): void {
    if (this.#isStarted) throw new Error(`${follower.name} follows facts after the start.`)
    if (this.#names.has(follower.name)) throw new Error(`Two followers of facts are called ${follower.name}.`)
    this.#names.add(follower.name)
    // Its kinds choose the facts it gets.
    const any = follower as unknown as Follower
    if (any.mode === 'during') this.#during.push(any)
    else if (any.mode === 'live') this.#live.push(any)
    else this.#durable.set(any.name, any)
  }

  /** Records a fact in the transaction that makes it true; followers are woken after the commit. */
  record(trx: Recorder, fact: NewFact, aside?: Aside): Promise<void> {
    return this.recordAll(trx, [fact], aside)
  }

  /** Records facts in one statement, in their order. After the commit of a plain client call `wake`. */
  async recordAll(recorder: Recorder, facts: readonly NewFact[], aside: Aside = {}): Promise<void> {
    if (facts.length === 0) return
    const recorded = await insertFacts(recorder, facts)
    this.#recorded += facts.length
    for (const follower of this.#during) {
      const own = recorded.filter(({ kind }) => follower.kinds.includes(kind))
      if (own.length === 0) continue
      if (!isTransaction(recorder)) throw new Error(`${follower.name} needs a transaction of the platform.`)
      await follower.follow(recorder, own, aside)
    }
    const kinds = facts.map(({ kind }) => kind)
    if (isKysely(recorder)) {
      wakeAfterCommit(recorder, 'facts')
      afterCommit(recorder, () => this.#wakeLoops(kinds))
    } else for (const kind of kinds) this.#plainKinds.add(kind)
  }

  /** Wakes the followers; only after the commit of a plain client, which are those of values and alarms. */
  wake(): void {
    this.#options.bus.publish('facts', { kinds: [...this.#plainKinds], atOnce: true })
  }

  async start(): Promise<void> {
    const { db, bus, logger, now } = this.#options
    this.#isStarted = true
    await ensureEpoch(db)
    await keepFactPartitions(db, now())
    this.#loops = [...this.#durable.values()].map((follower) => {
      const { retryPausesMs } = this.#options
      return new DurableLoop({ db, logger, follower, ...(retryPausesMs ? { retryPausesMs } : {}) })
    })
    if (this.#loops.length > 0 || this.#live.length > 0) await this.#stream.start()
    await Promise.all(this.#loops.map((loop) => loop.start()))
    this.#unsubscribe = bus.subscribe('facts', ({ kinds = [] }) => this.#wakeLoops(kinds))
  }

  /** Ends the followers after their current facts; a read or a handler that hangs is not waited for. */
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    const stops = [this.#stream.stop(), ...this.#loops.map((loop) => loop.stop())]
    await endsWithin(factsStopMsMax, () => Promise.all(stops))
  }

  /** Waits until live followers have got everything that this process committed so far; false after `ms`. */
  catchUp(ms: number): Promise<boolean> {
    return this.#stream.catchUp(ms)
  }

  /** Makes the partitions of the days that come and drops old ones; to be run every hour. */
  keepPartitions(): Promise<void> {
    return keepFactPartitions(this.#options.db, this.#options.now())
  }

  /** Facts that a follower could not handle, the oldest first. */
  listSetAside({ offset = 0, count = setAsideListedMax } = {}): Promise<durable.SetAside[]> {
    return durable.listSetAside(this.#options.db, { offset, count })
  }

  countSetAside(): Promise<number> {
    return durable.countSetAside(this.#options.db)
  }

  /**
   * Gives a fact that was set aside to its follower again; false if it is not set aside, or if there is no such
   * follower. `also` runs in the same transaction. When the follower fails again the fact stays aside with the new
   * error. Throws FactNotHandled.
   */
  async retrySetAside(
    name: string,
    factId: number,
    also?: (trx: Transaction<DB>) => Promise<void>,
  ): Promise<boolean> {
    const { db } = this.#options
    const follower = this.#durable.get(name)
    if (!follower) return false
    let isOfFollower = false
    try {
      return await withTransaction(db, async (trx) => {
        const fact = await durable.takeSetAside(trx, name, factId)
        if (!fact) return false
        isOfFollower = true
        await follower.follow(trx, [fact])
        isOfFollower = false
        await also?.(trx)
        return true
      })
    } catch (cause) {
      if (!isOfFollower) throw cause
      const error = messageOf(cause)
      await durable.updateSetAsideError(db, { follower: name, factId, error })
      throw new FactNotHandled(error, { cause })
    }
  }

  /** Counts since the start, and how far behind each durable follower is. */
  async metrics(): Promise<{
    readonly recorded: number
    readonly setAside: number
    readonly followers: readonly FollowerFigures[]
  }> {
    return {
      recorded: this.#recorded,
      setAside: await this.countSetAside(),
      followers: await Promise.all(this.#loops.map((loop) => loop.measure())),
    }
  }

  #tell(rows: readonly FactRow[]): void {
    // A fact that another process recorded wakes the durable followers here, too.
    this.#wakeLoops(rows.map(({ kind }) => kind))
    for (const follower of this.#live) {
      const facts = rows.filter(({ kind }) => follower.kinds.includes(kind as FactKind)).map(factOf)
      if (facts.length > 0) void this.#follow(follower, facts)
    }
  }

  async #follow(follower: LiveFollower, facts: Parameters<LiveFollower['follow']>[0]): Promise<void> {
    try {
      await follower.follow(facts)
    } catch (error) {
      this.#options.logger.warn({ err: error, follower: follower.name }, 'fact.handleFailed')
    }
  }

  /** A loop that nothing is there for asks the database several times for nothing. */
  #wakeLoops(kinds: readonly string[]): void {
    for (const loop of this.#loops) if (loop.follows(kinds)) loop.wake()
  }
}

const isKysely = (recorder: Recorder): recorder is Kysely<DB> => 'isTransaction' in recorder
const isTransaction = (recorder: Recorder): recorder is Transaction<DB> =>
  isKysely(recorder) && recorder.isTransaction
