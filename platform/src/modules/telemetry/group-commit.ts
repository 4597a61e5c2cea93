import { setTimeout as sleep } from 'node:timers/promises'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import { StoreFailed, TelemetryBusy, TelemetryStopped } from './append-errors.ts'
import { type BatchStore, BatchTries } from './batch-tries.ts'
import {
  type CommitOutcome,
  countAlarms,
  groupCommitLimits,
  type RefusedTags,
  type Waiting,
} from './commit-batch.ts'
import { EntryParts } from './entry-parts.ts'
import { GatherTime } from './gather-time.ts'
import type { BatchEntry } from './plan-batch.ts'
import type { RecordRoom } from './record-room.ts'
import { WaitingEntries } from './waiting-entries.ts'

export interface GroupCommitOptions extends BatchStore {
  /** Pause of the next commit after one that took `tookMs`, so that other work gets the rest of the time. */
  readonly restMs?: (tookMs: number) => number
  readonly logger: Logger
  readonly now: () => number
  /** Counts the records that wait here and in other lanes. */
  readonly room: RecordRoom
}

/** A machine with an entry that is committed in parts, and the entries it sent since. */
interface Large {
  readonly entry: Waiting
  readonly held: Waiting[]
  /** The records of all of these. */
  records: number
}

const nothingRefused: RefusedTags = []

/**
 * Many callers, one transaction: entries gather while the last commit is on its way. Those of a machine are committed
 * in the order of their arrival.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  /** A store that fails, fails for every batch. */
  readonly #log: LogOnce
  readonly #waiting = new WaitingEntries<Waiting>()
  #waitingRecords = 0
  #entries = 0
  #running: Promise<void> | undefined
  /** Number of entries that still wait to be committed or given back, wherever they are. */
  #inHand = 0
  /** The entries taken for a commit last. */
  #taken: readonly Waiting[] = []
  /** The number of these by machine. */
  readonly #ofMachine = new Map<number, number>()
  /** Machines of which an entry was given back while others of theirs were in hand: those go back as well. */
  readonly #givenBack = new Set<number>()
  /** By machine, the one whose turn is next first. */
  readonly #larges = new Map<number, Large>()
  #nextPartAt = Number.NEGATIVE_INFINITY
  #heldRecords = 0
  /** Since when records wait without a commit, failures of the store included. */
  #stalledFrom: number | undefined
  #failedAt = Number.NEGATIVE_INFINITY
  #lastCommitAt = Number.NEGATIVE_INFINITY
  #gatherMs: number = groupCommitLimits.gatherMs
  readonly #gather = new GatherTime()
  readonly #stopped = new AbortController()
  readonly #batches: BatchTries

  constructor(options: GroupCommitOptions) {
    this.#options = options
    this.#log = createLogOnce(options.logger)
    this.#batches = new BatchTries({
      ...options,
      log: this.#log,
      stopped: this.#stopped.signal,
      holdBack: (entries) => this.#holdBack(entries),
      resolve: (entries, outcome) => this.#resolve(entries, outcome),
      fail: (entries, error) => this.#fail(entries, error),
      reject: (entries, error) => this.#reject(entries, error),
    })
  }

  /** Records not yet committed. */
  get waiting(): number {
    return this.#waitingRecords + this.#heldRecords
  }

  /** Whether an entry of a machine still waits to be committed or given back. */
  holds(machineId: number): boolean {
    return this.#ofMachine.has(machineId)
  }

  /** Arrival of the oldest entry that is not committed; undefined without one. */
  get oldestAt(): number | undefined {
    if (this.#inHand === 0) return undefined
    let oldestAt = Number.POSITIVE_INFINITY
    const look = ({ receivedAt, isDone }: Waiting) => {
      if (!isDone && receivedAt < oldestAt) oldestAt = receivedAt
    }
    this.#taken.forEach(look)
    for (const { entry, held } of this.#larges.values()) {
      look(entry)
      held.forEach(look)
    }
    this.#waiting.forEach(look)
    return oldestAt
  }

  /** Time that records have waited without any commit, in ms. */
  get stalledMs(): number {
    const now = this.#options.now()
    if (this.#stalledFrom === undefined) return 0
    if (this.#inHand === 0 && now > this.#failedAt + groupCommitLimits.failureKeptMs) return 0
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
        place: this.#entries++,
        isHeld: false,
        isDone: false,
        resolve,
        reject,
      }
      this.#waiting.add(waiting)
      this.#inHand++
      this.#ofMachine.set(machineId, (this.#ofMachine.get(machineId) ?? 0) + 1)
      this.#stalledFrom ??= this.#options.now()
      this.#count(records.length)
      this.#running ??= this.#run()
    })
  }

  /** Whether an entry is too much. Records that wait for the parts of some machines do not send the others away. */
  #isFull(machineId: number, parts: EntryParts | undefined): boolean {
    const { room } = this.#options
    if (room.isFull) return true
    const large = this.#larges.get(machineId)
    if (!large && !parts) return false
    return room.isHeldFull || (large?.records ?? 0) >= groupCommitLimits.recordsHeldPerMachineMax
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** Commits the waiting entries for at most `patienceMs`; the rest is given back to its senders. */
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
    while (this.#waiting.size > 0 || this.#larges.size > 0) {
      const [large] = this.#larges.values()
      if (large && (this.#waiting.size === 0 || performance.now() >= this.#nextPartAt)) {
        await this.#commitPart(large)
        continue
      }
      if (this.#waitingRecords < groupCommitLimits.recordsPerBatchMax) {
        const gatherMs = this.#lastCommitAt + this.#gatherMs - performance.now()
        if (gatherMs > 0) await sleep(gatherMs)
      }
      const startedAt = performance.now()
      this.#taken = this.#waiting.take()
      await this.#batches.commit(this.#taken)
      this.#taken = []
      this.#lastCommitAt = performance.now()
      const tookMs = this.#lastCommitAt - startedAt
      this.#gatherMs = Math.max(this.#gather.next(tookMs), this.#options.restMs?.(tookMs) ?? 0)
    }
    // There is no await since the loop found no waiting entry, so the next entry starts a new run.
    this.#running = undefined
  }

  /** Commits the next part of an entry, or, if only its tags went in parts, the rest of it. */
  async #commitPart(large: Large): Promise<void> {
    const { entry, held } = large
    const startedAt = performance.now()
    await this.#batches.commit([entry])
    const endedAt = performance.now()
    // Many entries in parts get more of the time together, or after a restart births would wait for minutes.
    const othersShare = (groupCommitLimits.partsShare - 1) / this.#larges.size
    this.#nextPartAt = endedAt + (endedAt - startedAt) * othersShare
    this.#larges.delete(entry.machineId)
    if (!entry.isDone) {
      this.#larges.set(entry.machineId, large)
      return
    }
    for (const one of held) this.#setHeld(one, false)
    this.#waiting.putBack(held)
  }

  /**
   * Leaves out entries to be given back, entries that go in parts, and entries that wait for the parts of their
   * machine.
   */
  #holdBack(given: readonly Waiting[]): readonly Waiting[] {
    const entries = this.#leaveGivenBack(given)
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

  /**
   * Gives back a machine's entries after one that was given back: it sends all of them again, and an event that is
   * stored before an older one would make the older one look like a repeat.
   */
  #leaveGivenBack(entries: readonly Waiting[]): readonly Waiting[] {
    if (this.#givenBack.size === 0) return entries
    const behind = entries.filter(({ machineId }) => this.#givenBack.has(machineId))
    if (behind.length === 0) return entries
    const rest = entries.filter(({ machineId }) => !this.#givenBack.has(machineId))
    this.#fail(behind, new Error('an earlier entry of this machine was given back'))
    return rest
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
    this.#countHeld(records)
    this.#count(-records)
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
    for (const entry of entries) {
      entry.reject(new StoreFailed('the store failed', { cause: error }))
      this.#givenBack.add(entry.machineId)
    }
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
      entry.isDone = true
      this.#inHand--
      const left = (this.#ofMachine.get(entry.machineId) ?? 1) - 1
      if (left > 0) this.#ofMachine.set(entry.machineId, left)
      else {
        this.#ofMachine.delete(entry.machineId)
        this.#givenBack.delete(entry.machineId)
      }
    }
    this.#countHeld(-heldRecords)
    if (isStoreWell) this.#stalledFrom = this.#inHand > 0 ? this.#options.now() : undefined
    this.#count(heldRecords - records)
    return records
  }

  #count(change: number): void {
    this.#waitingRecords += change
    this.#options.room.count(change)
  }

  #countHeld(change: number): void {
    this.#heldRecords += change
    this.#options.room.countHeld(change)
  }
}
