import { setTimeout as sleep } from 'node:timers/promises'
import type { LogOnce } from '../../kernel/log-once.ts'
import { RecordsRefused, TelemetryStopped } from './append-errors.ts'
import {
  type Blame,
  type CommitAttempt,
  type CommitBatch,
  type CommitOutcome,
  groupCommitLimits,
  type Waiting,
} from './commit-batch.ts'

/** The store that batches are written to. */
export interface BatchStore {
  readonly commit: CommitAttempt
  /**
   * Ends a batch's id: a later commit under it fails. False if one had succeeded and its answer was lost. A close whose
   * own answer was lost can be repeated.
   */
  readonly close: (batchId: string) => Promise<boolean>
  readonly createBatchId: () => string
  readonly blameOf: (error: unknown) => Blame
  /** Called when a batch is not tried any more under its id. */
  readonly onEnd?: (batch: CommitBatch) => void
  /** Milliseconds each commit took, with how many records it held. */
  readonly onCommit: (ms: number, records: number) => void
}

interface BatchTriesOptions extends BatchStore {
  readonly log: LogOnce
  readonly stopped: AbortSignal
  /** Leaves out entries that go in parts, and entries that wait for the parts of their machine. */
  holdBack(entries: readonly Waiting[]): readonly Waiting[]
  /** Answers entries that are committed; the number of their records. */
  resolve(entries: readonly Waiting[], outcome: CommitOutcome): number
  /** Gives entries back to their senders, because the store failed for an unknown time. */
  fail(entries: readonly Waiting[], error: unknown): void
  reject(entries: readonly Waiting[], error: Error): void
}

interface Batch extends CommitBatch {
  readonly entries: readonly Waiting[]
  failures: number
}

/** The facts about the batches that a split batch became. */
interface Isolation {
  /** Entries that failed alone for a fault of the store, since the last commit. */
  storeFailures: number
  /** Machines with rows that another transaction holds: the batch does not wait for their other entries. */
  readonly locked: Set<number>
}

/**
 * Tries a batch until each of its entries is answered. While the database is away a batch is tried under one id. After any
 * other error it is tried once more and then split, until the faulty entry stands alone, so that the other entries do not
 * wait for it.
 */
export class BatchTries {
  readonly #options: BatchTriesOptions

  constructor(options: BatchTriesOptions) {
    this.#options = options
  }

  /** Commits entries, or finds out which of them cannot be; every one of them is answered. */
  async commit(given: readonly Waiting[], isolation?: Isolation): Promise<void> {
    const entries = this.#leaveLocked(this.#options.holdBack(given), isolation)
    if (entries.length === 0) return
    const batch: Batch = {
      id: this.#options.createBatchId(),
      entries,
      failures: 0,
      leftOut: undefined,
    }
    try {
      await this.#try(batch, isolation)
    } finally {
      this.#options.onEnd?.(batch)
    }
  }

  async #try(batch: Batch, isolation?: Isolation): Promise<void> {
    const { blameOf } = this.#options
    const { entries } = batch
    let losses = 0
    let locks = 0
    // The records of a split were tried before, with tags read anew.
    let mayTryAgain = isolation === undefined
    for (; ; batch.failures++) {
      if (this.#options.stopped.aborted) return this.#options.reject(entries, new TelemetryStopped())
      try {
        await this.#attempt(batch)
        if (isolation) isolation.storeFailures = 0
        return
      } catch (error) {
        const blame = blameOf(error)
        if (blame === 'lost') losses++
        if (losses >= groupCommitLimits.lossesMax) return this.#options.fail(entries, error)
        if (blame === 'locked') locks++
        const isAway = blame === 'away' || blame === 'lost'
        // An entry that is tried alone delays no other batch, and most locks end soon.
        const isPassing =
          blame === 'locked' && entries.length === 1 && locks < groupCommitLimits.lockedTriesMax
        if (!isAway && !isPassing && !mayTryAgain) return this.#isolate(batch, error, isolation)
        const { failures } = batch
        // The first lock that a batch meets is usual: new variables and attributes of a machine come at the same time.
        if (blame !== 'locked' || locks > 1)
          this.#options.log.warn({ err: error, failures, entries: entries.length }, 'commit.failed')
        if (!isAway) mayTryAgain = false
        if (isAway || blame === 'locked') await this.#pause(failures)
      }
    }
  }

  async #attempt(batch: Batch): Promise<void> {
    const startedAt = performance.now()
    const outcome = await this.#options.commit(batch)
    const records = this.#options.resolve(batch.entries, outcome)
    this.#options.onCommit(performance.now() - startedAt, records)
  }

  /** One entry is at fault: the others must not wait for it. */
  async #isolate(batch: Batch, error: unknown, known?: Isolation): Promise<void> {
    const isolation = known ?? { storeFailures: 0, locked: new Set() }
    const { entries } = batch
    const claim = await this.#claim(batch)
    if (claim === 'answered') return
    if (claim === 'committed') return this.#adopt(batch)
    if (isolation.storeFailures >= groupCommitLimits.storeFailuresMax)
      return this.#options.fail(entries, error)
    if (entries.length > 1) {
      const half = entries.length >> 1
      await this.commit(entries.slice(0, half), isolation)
      return this.commit(entries.slice(half), isolation)
    }
    const blame = this.#options.blameOf(error)
    if (blame === 'store' || blame === 'locked') {
      isolation.storeFailures++
      if (blame === 'locked') for (const { machineId } of entries) isolation.locked.add(machineId)
      return this.#options.fail(entries, error)
    }
    this.#options.log.warn({ err: error, machineId: entries[0]?.machineId }, 'records.refused')
    this.#options.reject(entries, new RecordsRefused('these records cannot be stored', { cause: error }))
  }

  /** Gives back the other entries of a locked machine, and returns the rest. */
  #leaveLocked(entries: readonly Waiting[], isolation: Isolation | undefined): readonly Waiting[] {
    if (!isolation || isolation.locked.size === 0) return entries
    const locked = entries.filter(({ machineId }) => isolation.locked.has(machineId))
    if (locked.length === 0) return entries
    this.#options.fail(locked, new Error('the rows of this machine are locked'))
    return entries.filter(({ machineId }) => !isolation.locked.has(machineId))
  }

  /** Makes sure that a batch which failed was not committed after all, before its entries go into others. */
  async #claim({ id, entries }: Batch): Promise<'closed' | 'committed' | 'answered'> {
    for (let failures = 0; ; failures++) {
      if (this.#options.stopped.aborted) {
        this.#options.reject(entries, new TelemetryStopped())
        return 'answered'
      }
      try {
        return (await this.#options.close(id)) ? 'closed' : 'committed'
      } catch (error) {
        const blame = this.#options.blameOf(error)
        if (blame !== 'away' && failures >= groupCommitLimits.lossesMax) {
          this.#options.fail(entries, error)
          return 'answered'
        }
        await this.#pause(failures)
      }
    }
  }

  /** Brings memory up to a batch that had been committed; where that fails its entries are stored all the same. */
  async #adopt(batch: Batch): Promise<void> {
    for (batch.failures = 1; batch.failures <= groupCommitLimits.lossesMax; batch.failures++) {
      try {
        return await this.#attempt(batch)
      } catch (error) {
        this.#options.log.warn({ err: error }, 'commit.adoptFailed')
        if (this.#options.blameOf(error) === 'entry') break
        await this.#pause(batch.failures)
      }
    }
    this.#options.resolve(batch.entries, { refused: new Map(), unfinished: batch.leftOut ?? new Set() })
  }

  async #pause(failures: number): Promise<void> {
    const { retryPauseMsFirst, retryPauseMsMax } = groupCommitLimits
    const pauseMs = Math.min(retryPauseMsFirst * 2 ** failures, retryPauseMsMax)
    await sleep(pauseMs, undefined, { signal: this.#options.stopped }).catch(() => {})
  }
}
