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
} as const

/** Thrown to who appends faster than can be held; nothing of it was kept. */
export class TelemetryBusy extends Error {
  override name = 'TelemetryBusy'
}

/** Thrown to who appended records that cannot be stored; sending them again would not help. */
export class RecordsRefused extends Error {
  override name = 'RecordsRefused'
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

export interface GroupCommitOptions {
  readonly commit: CommitAttempt
  readonly createBatchId: () => string
  /** Whether the rows are at fault rather than the database's being away. */
  readonly isDataError: (error: unknown) => boolean
  readonly logger: Logger
  /** Told when senders should pause, and when they may go on. */
  readonly onPressure: (isHigh: boolean) => void
  /** Milliseconds each commit took, with how many records it held. */
  readonly onCommit: (ms: number, records: number) => void
}

const nothingRefused: RefusedTags = []

/**
 * Many callers, one transaction: entries gather while the last commit is on its way. Entries are committed in the order
 * they came. A batch is tried under one id until it is known to be committed; one whose rows are at fault is split
 * until the entry at fault stands alone, and only that one is refused.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  #waiting: Waiting[] = []
  #waitingRecords = 0
  #isHigh = false
  #running: Promise<void> | undefined
  #oldestAt: number | undefined
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
    return this.#oldestAt ?? this.#waiting[0]?.receivedAt
  }

  /** Resolves after the commit. Throws `TelemetryBusy`, `RecordsRefused` or `TelemetryStopped`. */
  append(entry: BatchEntry): Promise<RefusedTags> {
    if (this.#stopped.signal.aborted) return Promise.reject(new TelemetryStopped())
    if (this.#waitingRecords >= groupCommitLimits.recordsWaitingMax)
      return Promise.reject(new TelemetryBusy())
    const { machineId, records, receivedAt } = entry
    return new Promise((resolve, reject) => {
      this.#waiting.push({ machineId, records, receivedAt, resolve, reject })
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
      const entries = this.#take()
      this.#oldestAt = entries[0]?.receivedAt
      await this.#commit(entries)
      this.#oldestAt = undefined
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

  async #commit(entries: readonly Waiting[]): Promise<void> {
    const batchId = this.#options.createBatchId()
    let pauseMs: number = groupCommitLimits.retryPauseMsFirst
    for (let failures = 0; ; failures++) {
      if (this.#stopped.signal.aborted) return this.#reject(entries, new TelemetryStopped())
      try {
        const startedAt = performance.now()
        const refused = await this.#options.commit({ entries, failures, batchId })
        const records = this.#resolve(entries, refused)
        this.#options.onCommit(performance.now() - startedAt, records)
        return
      } catch (error) {
        if (this.#options.isDataError(error)) return this.#isolate(entries, error)
        this.#options.logger.warn({ err: error, failures, entries: entries.length }, 'a batch is tried again')
      }
      await sleep(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, groupCommitLimits.retryPauseMsMax)
    }
  }

  /** One entry's rows are at fault: the others must not wait for it. */
  async #isolate(entries: readonly Waiting[], error: unknown): Promise<void> {
    if (entries.length === 1) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#options.logger.warn({ err: error, machineId: entries[0]?.machineId }, 'records cannot be stored')
      return this.#reject(entries, new RecordsRefused(reason, { cause: error }))
    }
    const half = entries.length >> 1
    await this.#commit(entries.slice(0, half))
    await this.#commit(entries.slice(half))
  }

  #resolve(entries: readonly Waiting[], refused: ReadonlyMap<number, RefusedTags>): number {
    let records = 0
    for (let place = 0; place < entries.length; place++) {
      const entry = entries[place] as Waiting
      records += entry.records.length
      entry.resolve(refused.size === 0 ? nothingRefused : (refused.get(place) ?? nothingRefused))
    }
    this.#count(-records)
    return records
  }

  #reject(entries: readonly Waiting[], error: Error): void {
    let records = 0
    for (const entry of entries) {
      records += entry.records.length
      entry.reject(error)
    }
    this.#count(-records)
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
