import { setTimeout as sleep } from 'node:timers/promises'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import { RecordsRefused, StoreFailed, TelemetryBusy, TelemetryStopped } from './append-errors.ts'
import { EntryParts } from './entry-parts.ts'
import type { BatchEntry } from './plan-batch.ts'

export const groupCommitLimits = {
  /** While commits follow one another, a batch gathers at least this long. */
  gatherMs: 3,
  /** A lane that rests after a commit for as long as that took rests no longer than this. */
  restMsMax: 50,
  recordsPerBatchMax: 16_384,
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
  /** Entries that fail alone, one after the other, until the store itself is at fault and the rest is given back. */
  storeFailuresMax: 8,
  /** Tries of an entry alone whose rows somebody else has locked, before it is given back. */
  lockedTriesMax: 4,
  /** From here on the platform is not ready: records wait and nothing is committed. */
  stalledMs: 10_000,
  /** With nothing in hand a failure of the store is forgotten after this long. */
  failureKeptMs: 60_000,
  /** While others wait, an entry committed in parts gets 1 of so many parts of the time; the others count as the rest. */
  partsShare: 5,
} as const

/** Names of tags that were not stored; empty when everything was. */
export type RefusedTags = readonly string[]

interface Waiting extends BatchEntry {
  readonly alarms: number
  parts: EntryParts | undefined
  /** It waits for its own machine's parts, and so does not count as waiting for the store. */
  isHeld: boolean
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
  /** One with `parts` comes alone. */
  readonly entries: readonly BatchEntry[]
  /** How often it has failed before. */
  readonly failures: number
  /** Places that the first plan left out; every further plan leaves them out too, so that all tries commit the same. */
  leftOut: ReadonlySet<number> | undefined
}

/** Writes entries, or finds that an earlier attempt had. */
export type CommitAttempt = (batch: CommitBatch) => Promise<CommitOutcome>

/**
 * The cause of a failed attempt: `away` no connection to the database, `store` its state (disk, rights to write),
 * `locked` a row that another transaction held for too long, otherwise `entry`.
 */
export type Blame = 'away' | 'lost' | 'store' | 'locked' | 'entry'

export interface GroupCommitOptions {
  readonly commit: CommitAttempt
  /**
   * Ends a batch's id: a later commit under it fails. False where one had, whose answer was lost. A close
   * whose own answer was lost can be asked for again.
   */
  readonly close: (batchId: string) => Promise<boolean>
  readonly createBatchId: () => string
  readonly blameOf: (error: unknown) => Blame
  /** After a commit the next one waits for as long as that took, so that others have half of the time. */
  readonly rests?: boolean
  readonly logger: Logger
  readonly now: () => number
  /** Told when senders should pause, and when they may go on. */
  readonly onPressure: (isHigh: boolean) => void
  /** Milliseconds each commit took, with how many records it held. */
  readonly onCommit: (ms: number, records: number) => void
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

/** A machine of which an entry is committed in parts, and what it sent since. */
interface Large {
  readonly entry: Waiting
  readonly held: Waiting[]
  /** Of all of these. */
  records: number
}

const nothingRefused: RefusedTags = []

/**
 * Many callers, one transaction: entries gather while the last commit is on its way. Entries are committed in the order
 * they came. While the database is away a batch is tried under one id. After any other error it is tried once more and then
 * split, until the faulty entry stands alone, so that the other entries do not wait for it.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  /** A store that fails, fails for every batch. */
  readonly #log: LogOnce
  #waiting: Waiting[] = []
  #waitingRecords = 0
  #isHigh = false
  #running: Promise<void> | undefined
  /** Every entry that is neither committed nor given back, wherever it is. */
  readonly #inHand = new Set<Waiting>()
  /** How many of these each machine has. */
  readonly #ofMachine = new Map<number, number>()
  /** By machine, the one whose turn is next first. */
  readonly #larges = new Map<number, Large>()
  #nextPartAt = Number.NEGATIVE_INFINITY
  #heldRecords = 0
  /** Since when records wait without a commit, failures of the store included. */
  #stalledFrom: number | undefined
  #failedAt = Number.NEGATIVE_INFINITY
  #lastCommitAt = Number.NEGATIVE_INFINITY
  #gatherMs: number = groupCommitLimits.gatherMs
  readonly #stopped = new AbortController()

  constructor(options: GroupCommitOptions) {
    this.#options = options
    this.#log = createLogOnce(options.logger)
  }

  /** Records not yet committed. */
  get waiting(): number {
    return this.#waitingRecords + this.#heldRecords
  }

  /** Whether an entry of a machine is neither committed nor given back. */
  holds(machineId: number): boolean {
    return this.#ofMachine.has(machineId)
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
    const { machineId, records, receivedAt, report } = entry
    const parts = EntryParts.ofRecords(records, receivedAt)
    if (this.#isFull(machineId, parts)) return Promise.reject(new TelemetryBusy())
    return new Promise((resolve, reject) => {
      const waiting = {
        machineId,
        records,
        receivedAt,
        report,
        parts,
        alarms: countAlarms(records),
        isHeld: false,
        resolve,
        reject,
      }
      this.#waiting.push(waiting)
      this.#inHand.add(waiting)
      this.#ofMachine.set(machineId, (this.#ofMachine.get(machineId) ?? 0) + 1)
      this.#stalledFrom ??= this.#options.now()
      this.#count(records.length)
      this.#running ??= this.#run()
    })
  }

  /** Whether an entry is too much. Records that wait for the parts of some machines do not send the others away. */
  #isFull(machineId: number, parts: EntryParts | undefined): boolean {
    const { recordsWaitingMax, recordsHeldPerMachineMax } = groupCommitLimits
    if (this.#waitingRecords >= recordsWaitingMax) return true
    const large = this.#larges.get(machineId)
    if (!large && !parts) return false
    return this.#heldRecords >= recordsWaitingMax || (large?.records ?? 0) >= recordsHeldPerMachineMax
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
    this.#log.stop()
  }

  async #run(): Promise<void> {
    // Everything that arrives in this turn of the event loop comes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0 || this.#larges.size > 0) {
      const [large] = this.#larges.values()
      if (large && (this.#waiting.length === 0 || performance.now() >= this.#nextPartAt)) {
        await this.#commitPart(large)
        continue
      }
      if (this.#waitingRecords < groupCommitLimits.recordsPerBatchMax) {
        const gatherMs = this.#lastCommitAt + this.#gatherMs - performance.now()
        if (gatherMs > 0) await sleep(gatherMs)
      }
      const startedAt = performance.now()
      await this.#commit(this.#take())
      this.#lastCommitAt = performance.now()
      if (this.#options.rests) {
        const tookMs = Math.min(this.#lastCommitAt - startedAt, groupCommitLimits.restMsMax)
        this.#gatherMs = Math.max(groupCommitLimits.gatherMs, tookMs)
      }
    }
    // Nothing awaits since the loop saw that nobody waits: who comes next starts the next run.
    this.#running = undefined
  }

  /** Commits the next part of an entry, or, when only its tags went in parts, what came with them. */
  async #commitPart(large: Large): Promise<void> {
    const { entry, held } = large
    const startedAt = performance.now()
    await this.#commit([entry])
    const endedAt = performance.now()
    // Many entries in parts get more of the time together, or after a restart births would wait for minutes.
    const othersShare = (groupCommitLimits.partsShare - 1) / this.#larges.size
    this.#nextPartAt = endedAt + (endedAt - startedAt) * othersShare
    this.#larges.delete(entry.machineId)
    if (this.#inHand.has(entry)) {
      this.#larges.set(entry.machineId, large)
      return
    }
    for (const one of held) this.#setHeld(one, false)
    this.#waiting.unshift(...held)
  }

  /** Leaves out what goes in parts, and what has to wait for its machine's parts. */
  #holdBack(entries: readonly Waiting[]): readonly Waiting[] {
    if (this.#larges.size === 0 && !entries.some(({ parts }) => parts)) return entries
    return entries.filter((entry) => {
      const large = this.#larges.get(entry.machineId)
      if (large?.entry === entry || (!large && !entry.parts)) return true
      if (!large) {
        this.#begin(entry)
        return false
      }
      this.#setHeld(entry, true)
      large.held.push(entry)
      large.records += entry.records.length
      return false
    })
  }

  #hold(entry: Waiting): void {
    if (this.#larges.has(entry.machineId)) {
      this.#holdBack([entry])
      return
    }
    entry.parts = EntryParts.ofTags(entry.records)
    this.#begin(entry)
  }

  /** Lets the parts of an entry have their turns. */
  #begin(entry: Waiting): void {
    this.#setHeld(entry, true)
    this.#larges.set(entry.machineId, { entry, held: [], records: entry.records.length })
  }

  #setHeld(entry: Waiting, isHeld: boolean): void {
    if (entry.isHeld === isHeld) return
    entry.isHeld = isHeld
    const records = isHeld ? entry.records.length : -entry.records.length
    this.#heldRecords += records
    this.#count(-records)
  }

  /**
   * Takes the entries of the next commit. Where they bring more alarms than one commit takes, the further ones wait, and
   * with each what its machine sent after it; the others go past them.
   */
  #take(): Waiting[] {
    const { recordsPerBatchMax, alarmsPerBatchMax } = groupCommitLimits
    const taken: Waiting[] = []
    const left: Waiting[] = []
    const leftMachines = new Set<number>()
    let records = 0
    let alarms = 0
    let count = 0
    for (const entry of this.#waiting) {
      if (records >= recordsPerBatchMax) break
      count++
      const isOver = entry.alarms > 0 && alarms > 0 && alarms + entry.alarms > alarmsPerBatchMax
      if (isOver || (leftMachines.size > 0 && leftMachines.has(entry.machineId))) {
        leftMachines.add(entry.machineId)
        left.push(entry)
        continue
      }
      records += entry.records.length
      alarms += entry.alarms
      taken.push(entry)
    }
    this.#waiting = count === this.#waiting.length ? left : left.concat(this.#waiting.slice(count))
    return taken
  }

  /** Commits entries, or finds out which of them cannot be; every one of them is answered. */
  async #commit(given: readonly Waiting[], isolation?: Isolation): Promise<void> {
    const entries = this.#leaveLocked(this.#holdBack(given), isolation)
    if (entries.length === 0) return
    const { blameOf } = this.#options
    const batch: Batch = {
      id: this.#options.createBatchId(),
      entries,
      failures: 0,
      leftOut: undefined,
    }
    let losses = 0
    let locks = 0
    // The records of a split were tried before, with tags read anew.
    let mayTryAgain = isolation === undefined
    for (; ; batch.failures++) {
      if (this.#stopped.signal.aborted) return this.#reject(entries, new TelemetryStopped())
      try {
        await this.#attempt(batch)
        if (isolation) isolation.storeFailures = 0
        return
      } catch (error) {
        const blame = blameOf(error)
        if (blame === 'lost') losses++
        if (losses >= groupCommitLimits.lossesMax) return this.#fail(entries, error)
        if (blame === 'locked') locks++
        const isAway = blame === 'away' || blame === 'lost'
        // An entry alone delays no other batch, and a lock mostly ends soon.
        const isPassing =
          blame === 'locked' && entries.length === 1 && locks < groupCommitLimits.lockedTriesMax
        if (!isAway && !isPassing && !mayTryAgain) return this.#isolate(batch, error, isolation)
        const { failures } = batch
        this.#log.warn({ err: error, failures, entries: entries.length }, 'commit.failed')
        if (!isAway) mayTryAgain = false
        if (isAway || blame === 'locked') await this.#pause(failures)
      }
    }
  }

  async #attempt(batch: Batch): Promise<void> {
    const startedAt = performance.now()
    const outcome = await this.#options.commit(batch)
    const records = this.#resolve(batch.entries, outcome)
    this.#options.onCommit(performance.now() - startedAt, records)
  }

  /** One entry is at fault: the others must not wait for it. */
  async #isolate(batch: Batch, error: unknown, known?: Isolation): Promise<void> {
    const isolation = known ?? { storeFailures: 0, locked: new Set() }
    const { entries } = batch
    const claim = await this.#claim(batch)
    if (claim === 'answered') return
    if (claim === 'committed') return this.#adopt(batch)
    if (isolation.storeFailures >= groupCommitLimits.storeFailuresMax) return this.#fail(entries, error)
    if (entries.length > 1) {
      const half = entries.length >> 1
      await this.#commit(entries.slice(0, half), isolation)
      return this.#commit(entries.slice(half), isolation)
    }
    const blame = this.#options.blameOf(error)
    if (blame === 'store' || blame === 'locked') {
      isolation.storeFailures++
      if (blame === 'locked') for (const { machineId } of entries) isolation.locked.add(machineId)
      return this.#fail(entries, error)
    }
    this.#log.warn({ err: error, machineId: entries[0]?.machineId }, 'records.refused')
    this.#reject(entries, new RecordsRefused('these records cannot be stored', { cause: error }))
  }

  /** Gives back the other entries of a locked machine, and returns the rest. */
  #leaveLocked(entries: readonly Waiting[], isolation: Isolation | undefined): readonly Waiting[] {
    if (!isolation || isolation.locked.size === 0) return entries
    const locked = entries.filter(({ machineId }) => isolation.locked.has(machineId))
    if (locked.length === 0) return entries
    this.#fail(locked, new Error('the rows of this machine are locked'))
    return entries.filter(({ machineId }) => !isolation.locked.has(machineId))
  }

  /** Makes sure that a batch which failed was not committed after all, before its entries go into others. */
  async #claim({ id, entries }: Batch): Promise<'closed' | 'committed' | 'answered'> {
    for (let failures = 0; ; failures++) {
      if (this.#stopped.signal.aborted) {
        this.#reject(entries, new TelemetryStopped())
        return 'answered'
      }
      try {
        return (await this.#options.close(id)) ? 'closed' : 'committed'
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
  async #adopt(batch: Batch): Promise<void> {
    for (batch.failures = 1; batch.failures <= groupCommitLimits.lossesMax; batch.failures++) {
      try {
        return await this.#attempt(batch)
      } catch (error) {
        this.#log.warn({ err: error }, 'commit.untold')
        if (this.#options.blameOf(error) === 'entry') break
        await this.#pause(batch.failures)
      }
    }
    this.#resolve(batch.entries, { refused: new Map(), unfinished: batch.leftOut ?? new Set() })
  }

  async #pause(failures: number): Promise<void> {
    const { retryPauseMsFirst, retryPauseMsMax } = groupCommitLimits
    const pauseMs = Math.min(retryPauseMsFirst * 2 ** failures, retryPauseMsMax)
    await sleep(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {})
  }

  #resolve(entries: readonly Waiting[], { refused, unfinished }: CommitOutcome): number {
    const done: Waiting[] = []
    for (let place = 0; place < entries.length; place++) {
      const entry = entries[place] as Waiting
      if (unfinished.size > 0 && unfinished.has(place)) {
        this.#hold(entry)
        continue
      }
      entry.resolve(refused.size === 0 ? nothingRefused : (refused.get(place) ?? nothingRefused))
      done.push(entry)
    }
    return this.#release(done, true)
  }

  /** Gives entries back to their senders, because the store failed for an unknown time. */
  #fail(entries: readonly Waiting[], error: unknown): void {
    this.#log.error({ err: error, entries: entries.length }, 'store.failed')
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
    let heldRecords = 0
    for (const entry of entries) {
      records += entry.records.length
      if (entry.isHeld) heldRecords += entry.records.length
      this.#inHand.delete(entry)
      const left = (this.#ofMachine.get(entry.machineId) ?? 1) - 1
      if (left > 0) this.#ofMachine.set(entry.machineId, left)
      else this.#ofMachine.delete(entry.machineId)
    }
    this.#heldRecords -= heldRecords
    if (isStoreWell) this.#stalledFrom = this.#inHand.size > 0 ? this.#options.now() : undefined
    this.#count(heldRecords - records)
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

/** How many of the records are alarms. */
export function countAlarms(records: BatchEntry['records']): number {
  let alarms = 0
  for (const { kind } of records) if (kind === 'alarm') alarms++
  return alarms
}
