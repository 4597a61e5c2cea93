import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../logger.ts'
import type { BatchEntry } from './plan-batch.ts'

export const groupCommitLimits = {
  /** While commits follow one another, a batch gathers at least this long. */
  gatherMs: 3,
  recordsPerBatchMax: 16_384,
  /** From here on senders should pause, until half of it is left. */
  recordsWaitingHigh: 50_000,
  /** Beyond it nothing more is taken. */
  recordsWaitingMax: 400_000,
  retryPauseMsFirst: 20,
  retryPauseMsMax: 2_000,
  /** A connection lost this often with the same entries in hand is not the network's fault. */
  lossesMax: 8,
  /** Entries that fail alone, one after the other, until the store itself is at fault and the rest is given back. */
  storeFailuresMax: 8,
  /** From here on the platform is not ready: records wait and nothing is committed. */
  stalledMs: 10_000,
  /** With nothing in hand a failure of the store is forgotten after this long. */
  failureKeptMs: 60_000,
} as const

/** Thrown to who appends faster than can be held; nothing of it was kept. */
export class TelemetryBusy extends Error {
  override name = 'TelemetryBusy'
}

/** Thrown to who appended records that cannot be stored; sending them again would not help. */
export class RecordsRefused extends Error {
  override name = 'RecordsRefused'
}

/** Thrown to who appended records while the store itself failed: not acknowledged, they are for the sender to send again. */
export class StoreFailed extends Error {
  override name = 'StoreFailed'
}

/** Thrown to whoever waits when the platform stops before the commit: it is for the sender to send again. */
export class TelemetryStopped extends Error {
  override name = 'TelemetryStopped'
}

/** Names of tags that were not stored; empty when everything was. */
export type RefusedTags = readonly string[]

interface Waiting extends BatchEntry {
  resolve(refused: RefusedTags): void
  reject(error: Error): void
}

/** Writes entries, or finds that an earlier attempt had. Answers refused names by the place of their entry. */
export type CommitAttempt = (batch: {
  readonly entries: readonly BatchEntry[]
  /** How often this batch has failed before. */
  readonly failures: number
  readonly batchId: string
}) => Promise<ReadonlyMap<number, RefusedTags>>

/** What an error of an attempt tells: `away` the database, `store` its state (disk, rights to write), else `entry`. */
export type Blame = 'away' | 'lost' | 'store' | 'entry'

export interface GroupCommitOptions {
  readonly commit: CommitAttempt
  /**
   * Ends a batch's id: a commit under it can no longer come true. False where one had, whose answer was lost. A close
   * whose own answer was lost can be asked for again.
   */
  readonly close: (batchId: string) => Promise<boolean>
  readonly createBatchId: () => string
  readonly blameOf: (error: unknown) => Blame
  readonly logger: Logger
  readonly now: () => number
  /** Told when senders should pause, and when they may go on. */
  readonly onPressure: (isHigh: boolean) => void
  /** Milliseconds each commit took, with how many records it held. */
  readonly onCommit: (ms: number, records: number) => void
}

/** What is known of the batches that came of one, once it had to be split. */
interface Isolation {
  /** Entries that failed alone for a fault of the store, since the last commit. */
  storeFailures: number
}

const nothingRefused: RefusedTags = []

/**
 * Many callers, one transaction: entries gather while the last commit is on its way. Entries are committed in the order
 * they came. While the database is away a batch is tried under one id. After any other error it is tried once more and then
 * split, until the entry at fault stands alone: whatever the error is, that entry never keeps the others waiting.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  #waiting: Waiting[] = []
  #waitingRecords = 0
  #isHigh = false
  #running: Promise<void> | undefined
  /** Every entry that is neither committed nor given back, wherever it is. */
  readonly #inHand = new Set<Waiting>()
  /** Since when records wait without a commit, failures of the store included. */
  #stalledFrom: number | undefined
  #failedAt = Number.NEGATIVE_INFINITY
  #lastCommitAt = Number.NEGATIVE_INFINITY
  readonly #stopped = new AbortController()

  constructor(options: GroupCommitOptions) {
    this.#options = options
  }

  /** Records not yet committed. */
  get waiting(): number {
    return this.#waitingRecords
  }

  /** When the oldest entry that is not committed arrived; undefined when there is none. */
  get oldestAt(): number | undefined {
    let oldestAt: number | undefined
    for (const { receivedAt } of this.#inHand) {
      if (oldestAt === undefined || receivedAt < oldestAt) oldestAt = receivedAt
    }
    return oldestAt
  }

  /** How long records have waited without any commit. */
  get stalledMs(): number {
    const now = this.#options.now()
    if (this.#stalledFrom === undefined) return 0
    if (this.#inHand.size === 0 && now > this.#failedAt + groupCommitLimits.failureKeptMs) return 0
    return Math.max(0, now - this.#stalledFrom)
  }

  /** Resolves after the commit. Throws `TelemetryBusy`, `RecordsRefused`, `StoreFailed` or `TelemetryStopped`. */
  append(entry: BatchEntry): Promise<RefusedTags> {
    if (this.#stopped.signal.aborted) return Promise.reject(new TelemetryStopped())
    if (this.#waitingRecords >= groupCommitLimits.recordsWaitingMax)
      return Promise.reject(new TelemetryBusy())
    const { machineId, records, receivedAt } = entry
    return new Promise((resolve, reject) => {
      const waiting = { machineId, records, receivedAt, resolve, reject }
      this.#waiting.push(waiting)
      this.#inHand.add(waiting)
      this.#stalledFrom ??= this.#options.now()
      this.#count(records.length)
      this.#running ??= this.#run()
    })
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** Commits what waits, for at most `patienceMs`; what is left then is given back to its senders. */
  async stop(patienceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stopped.abort(), patienceMs)
    await this.#running
    clearTimeout(timer)
    this.#stopped.abort()
  }

  async #run(): Promise<void> {
    // Everything that arrives in this turn of the event loop comes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      if (this.#waitingRecords < groupCommitLimits.recordsPerBatchMax) {
        const gatherMs = this.#lastCommitAt + groupCommitLimits.gatherMs - performance.now()
        if (gatherMs > 0) await sleep(gatherMs)
      }
      await this.#commit(this.#take())
      this.#lastCommitAt = performance.now()
    }
    // Nothing awaits since the loop saw that nobody waits: who comes next starts the next run.
    this.#running = undefined
  }

  #take(): Waiting[] {
    let records = 0
    let count = 0
    for (const entry of this.#waiting) {
      records += entry.records.length
      count++
      if (records >= groupCommitLimits.recordsPerBatchMax) break
    }
    if (count === this.#waiting.length) {
      const all = this.#waiting
      this.#waiting = []
      return all
    }
    return this.#waiting.splice(0, count)
  }

  /** Commits entries, or finds out which of them cannot be; every one of them is answered. */
  async #commit(entries: readonly Waiting[], isolation?: Isolation): Promise<void> {
    const { logger, blameOf } = this.#options
    const batchId = this.#options.createBatchId()
    let losses = 0
    // What comes of a split was tried before, with tags read anew.
    let mayTryAgain = isolation === undefined
    for (let failures = 0; ; failures++) {
      if (this.#stopped.signal.aborted) return this.#reject(entries, new TelemetryStopped())
      try {
        await this.#attempt(entries, failures, batchId)
        if (isolation) isolation.storeFailures = 0
        return
      } catch (error) {
        const blame = blameOf(error)
        if (blame === 'lost') losses++
        if (losses >= groupCommitLimits.lossesMax) return this.#fail(entries, error)
        const isAway = blame === 'away' || blame === 'lost'
        if (!isAway && !mayTryAgain) return this.#isolate(entries, batchId, error, isolation)
        logger.warn({ err: error, failures, entries: entries.length }, 'a batch is tried again')
        if (isAway) await this.#pause(failures)
        else mayTryAgain = false
      }
    }
  }

  async #attempt(entries: readonly Waiting[], failures: number, batchId: string): Promise<void> {
    const startedAt = performance.now()
    const refused = await this.#options.commit({ entries, failures, batchId })
    const records = this.#resolve(entries, refused)
    this.#options.onCommit(performance.now() - startedAt, records)
  }

  /** One entry is at fault: the others must not wait for it. */
  async #isolate(
    entries: readonly Waiting[],
    batchId: string,
    error: unknown,
    isolation: Isolation = { storeFailures: 0 },
  ): Promise<void> {
    const claim = await this.#claim(entries, batchId)
    if (claim === 'answered') return
    if (claim === 'committed') return this.#adopt(entries, batchId)
    if (isolation.storeFailures >= groupCommitLimits.storeFailuresMax) return this.#fail(entries, error)
    if (entries.length > 1) {
      const half = entries.length >> 1
      await this.#commit(entries.slice(0, half), isolation)
      return this.#commit(entries.slice(half), isolation)
    }
    if (this.#options.blameOf(error) === 'store') {
      isolation.storeFailures++
      return this.#fail(entries, error)
    }
    this.#options.logger.warn({ err: error, machineId: entries[0]?.machineId }, 'records cannot be stored')
    this.#reject(entries, new RecordsRefused('these records cannot be stored', { cause: error }))
  }

  /** Makes sure that a batch which failed was not committed after all, before its entries go into others. */
  async #claim(entries: readonly Waiting[], batchId: string): Promise<'closed' | 'committed' | 'answered'> {
    for (let failures = 0; ; failures++) {
      if (this.#stopped.signal.aborted) {
        this.#reject(entries, new TelemetryStopped())
        return 'answered'
      }
      try {
        return (await this.#options.close(batchId)) ? 'closed' : 'committed'
      } catch (error) {
        const blame = this.#options.blameOf(error)
        if (blame !== 'away' && failures >= groupCommitLimits.lossesMax) {
          this.#fail(entries, error)
          return 'answered'
        }
        await this.#pause(failures)
      }
    }
  }

  /** Brings memory up to a batch that had been committed; where that fails its entries are stored all the same. */
  async #adopt(entries: readonly Waiting[], batchId: string): Promise<void> {
    for (let failures = 1; failures <= groupCommitLimits.lossesMax; failures++) {
      try {
        return await this.#attempt(entries, failures, batchId)
      } catch (error) {
        this.#options.logger.warn({ err: error }, 'a batch that is committed could not be told')
        if (this.#options.blameOf(error) === 'entry') break
        await this.#pause(failures)
      }
    }
    this.#resolve(entries, new Map())
  }

  async #pause(failures: number): Promise<void> {
    const { retryPauseMsFirst, retryPauseMsMax } = groupCommitLimits
    const pauseMs = Math.min(retryPauseMsFirst * 2 ** failures, retryPauseMsMax)
    await sleep(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {})
  }

  #resolve(entries: readonly Waiting[], refused: ReadonlyMap<number, RefusedTags>): number {
    for (let place = 0; place < entries.length; place++) {
      const entry = entries[place] as Waiting
      entry.resolve(refused.size === 0 ? nothingRefused : (refused.get(place) ?? nothingRefused))
    }
    return this.#release(entries, true)
  }

  /** Gives entries back to their senders: the store failed, and nobody knows when it works again. */
  #fail(entries: readonly Waiting[], error: unknown): void {
    this.#options.logger.error({ err: error, entries: entries.length }, 'the store failed')
    this.#failedAt = this.#options.now()
    for (const entry of entries) entry.reject(new StoreFailed('the store failed', { cause: error }))
    this.#release(entries, false)
  }

  #reject(entries: readonly Waiting[], error: Error): void {
    for (const entry of entries) entry.reject(error)
    this.#release(entries, true)
  }

  #release(entries: readonly Waiting[], isStoreWell: boolean): number {
    let records = 0
    for (const entry of entries) {
      records += entry.records.length
      this.#inHand.delete(entry)
    }
    if (isStoreWell) this.#stalledFrom = this.#inHand.size > 0 ? this.#options.now() : undefined
    this.#count(-records)
    return records
  }

  #count(change: number): void {
    this.#waitingRecords += change
    const isHigh = this.#isHigh
      ? this.#waitingRecords > groupCommitLimits.recordsWaitingHigh / 2
      : this.#waitingRecords > groupCommitLimits.recordsWaitingHigh
    if (isHigh === this.#isHigh) return
    this.#isHigh = isHigh
    this.#options.onPressure(isHigh)
  }
}
