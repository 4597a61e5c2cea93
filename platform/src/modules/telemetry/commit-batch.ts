import type { EntryParts } from './entry-parts.ts'
import type { BatchEntry } from './plan-batch.ts'
import type { LogTicket } from './store/tail.ts'

export const groupCommitLimits = {
  /** While commits follow one another, a batch gathers at least this long. */
  gatherMs: 3,
  /** After a commit that took this long, enough has gathered. */
  longCommitMs: 8,
  /** While the event loop is busy all the time a batch gathers up to so long. */
  busyGatherMsMax: 30,
  /** Shares of the time: above the first the event loop counts as busy, below the second as idle again. */
  busyHigh: 0.95,
  busyLow: 0.8,
  recordsPerBatchMax: 32_768,
  /** Alarms in one commit: each costs the database about 0.1 ms, and the values of all machines wait for it. */
  alarmsPerBatchMax: 64,
  /** From here on senders should pause, until half of it is left. */
  recordsWaitingHigh: 50_000,
  /** Beyond it nothing more is taken; as many more may wait for parts. */
  recordsWaitingMax: 400_000,
  /** Records of one machine that may wait for its parts. */
  recordsHeldPerMachineMax: 100_000,
  retryPauseMsFirst: 20,
  retryPauseMsMax: 2_000,
  /** Connections lost with the same entries before the entries, and not the network, count as the cause. */
  lossesMax: 8,
  /**
   * Entries that fail alone, one after the other, before the store itself counts as faulty and the rest is given back.
   */
  storeFailuresMax: 8,
  /** Tries of a single entry whose rows another transaction has locked, before it is given back. */
  lockedTriesMax: 4,
  /** From here on the platform is not ready: records wait and nothing is committed. */
  stalledMs: 10_000,
  /** Without waiting entries a failure of the store is dropped after this time. */
  failureKeptMs: 60_000,
  /** While others wait, an entry committed in parts gets one part in this many of the time; the others get the rest. */
  partsShare: 5,
} as const

/** Names of tags that were not stored; empty when everything was. */
export type RefusedTags = readonly string[]

/** An entry until it is committed or given back. */
export interface Waiting extends BatchEntry {
  readonly alarms: number
  /** Its place among the entries, in the order of arrival. */
  readonly place: number
  parts: EntryParts | undefined
  /** It waits for its own machine's parts, and so does not count as waiting for the store. */
  isHeld: boolean
  /** It is committed or given back. */
  isDone: boolean
  resolve(refused: RefusedTags): void
  reject(error: Error): void
}

/** The result of a batch. */
export interface CommitOutcome {
  /** Refused names by the place of their entry. */
  readonly refused: ReadonlyMap<number, RefusedTags>
  /** Places of entries that are not committed yet: there is more of them than one commit takes. */
  readonly unfinished: ReadonlySet<number>
}

/** The records that are tried under one id until they are known to be committed. */
export interface CommitBatch {
  readonly id: string
  /** An entry with `parts` comes alone. */
  readonly entries: readonly BatchEntry[]
  /** Number of earlier failures. */
  readonly failures: number
  /** Places that the first plan left out; every further plan leaves them out too, so that all tries commit the same. */
  leftOut: ReadonlySet<number> | undefined
  /** Its row in the log of samples, numbered at the first try. */
  ticket?: LogTicket | undefined
}

/** Writes entries, or finds that an earlier attempt had. */
export type CommitAttempt = (batch: CommitBatch) => Promise<CommitOutcome>

/**
 * The cause of a failed attempt: `away` no connection to the database, `store` its state (disk, rights to write),
 * `locked` a row that another transaction held for too long, otherwise `entry`.
 */
export type Blame = 'away' | 'lost' | 'store' | 'locked' | 'entry'

/** Counts the alarms among the records. */
export function countAlarms(records: BatchEntry['records']): number {
  let alarms = 0
  for (const { kind } of records) if (kind === 'alarm') alarms++
  return alarms
}
