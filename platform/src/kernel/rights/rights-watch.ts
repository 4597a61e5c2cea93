import type { Kysely } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import type { DB } from '../database/schema.gen.ts'
import { stallMs, startDeadline } from '../deadline.ts'
import { every } from '../every.ts'
import { StreamReader } from '../facts/stream-reader.ts'
import type { Logger } from '../logger.ts'

/** A row of right_changes: whose rights, which session, or which project, changed. */
export interface RightChange {
  readonly id: number
  readonly sessionId: number | null
  readonly userId: number | null
  readonly machineId: number | null
  readonly projectId: number | null
  readonly reason: string
  readonly address: string | null
  /** The transaction that recorded it. */
  readonly xid: string
}

const pollIntervalMs = 500
const freshMs = 1_000
/** See rules/access.md: effect at once. */
const trustedMs = 5_000
/** Interval at which this process notes that it runs. */
const turnMs = 100

export interface RightsWatchOptions {
  readonly db: Kysely<DB>
  readonly bus: Bus
  readonly logger: Logger
}

/** Holds a connection open that depends on a right. */
export interface RightsListener {
  /** Called with each change once, in order of ids within a poll. */
  changed(change: RightChange): void
  /**
   * Called once when the table could not be read for 5 s, or for 1 s after a stall of this process: open connections must
   * be cut.
   */
  blind(): void
}

/**
 * Follows right_changes: the bus only wakes, the table is read every 500 ms, so that a lost message delays nothing for
 * longer than that. A stall of this process is distinguished from a database that is away: the time of a stall does not
 * count as failed reads, and after it nothing is relayed before the table is read.
 */
export class RightsWatch {
  readonly #options: RightsWatchOptions
  readonly #reader: StreamReader<ChangeRow>
  readonly #listeners = new Set<RightsListener>()
  readonly #unsubscribe: () => void
  /** All that wait for the next read that counts. */
  readonly #awaitingSight = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  /** When the last read began that succeeded. */
  #readAt = 0
  /** When this process last noted that it runs; infinite before the start. */
  #turnAt = Number.POSITIVE_INFINITY
  /** When the last stall was noted. */
  #wokeAt = 0
  #unreadMs = 0
  #stalls = 0
  #blind = false
  #stopped = false

  constructor(options: RightsWatchOptions) {
    this.#options = options
    this.#reader = new StreamReader<ChangeRow>({
      db: options.db,
      stream: {
        table: 'right_changes',
        columns: ['id', 'session_id', 'user_id', 'machine_id', 'project_id', 'reason', 'address', 'xid'],
        key: ['id'],
        orderBy: ['id'],
      },
      tell: (rows) => {
        for (const row of rows) this.#tell(changeOf(row))
      },
      didRead: (startedAt) => this.#didRead(startedAt),
      didFail: (error) => options.logger.warn({ err: error }, 'rightChanges.readFailed'),
    })
    this.#unsubscribe = options.bus.subscribe('rights', () => this.#reader.wake())
  }

  /** Marks the rows already in the table and starts to follow it. */
  async start(): Promise<void> {
    await this.#reader.start()
    this.#readAt = this.#turnAt = performance.now()
    this.#timer = every(turnMs, () => this.#turn(), this.#options.logger)
  }

  /** Answers the function that ends the subscription. */
  subscribe(listener: RightsListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Milliseconds this process ran since the table was read, to a tenth of a second; stalls are left out. */
  get unreadMs(): number {
    return this.#unreadMs
  }

  /** Number of stalls of this process since its start. */
  get stalls(): number {
    return this.#stalls
  }

  /** False from a stall of this process until the table was read after it: nothing may be relayed. Cheap. */
  isAwake(): boolean {
    this.#noteStall(performance.now())
    return this.#readAt >= this.#wokeAt
  }

  /** False when the table was not read for a second: nothing new may be admitted. */
  isFresh(): boolean {
    return this.isAwake() && performance.now() - this.#readAt < freshMs
  }

  /** The same, but waits for the next read, for a second at most, where it was this process that stalled. */
  async whenFresh(): Promise<boolean> {
    if (this.isFresh()) return true
    if (this.#unreadMs >= freshMs || this.#stopped) return false
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#awaitingSight.add(resolve)
    const callOff = startDeadline(freshMs, resolve)
    try {
      await promise
    } finally {
      callOff()
      this.#awaitingSight.delete(resolve)
    }
    return this.isFresh()
  }

  /**
   * Waits until all wakes of the bus so far are delivered; false after a second. A change that a call confirms is in
   * effect for everything after its answer.
   */
  catchUp(): Promise<boolean> {
    return this.#reader.catchUp(freshMs)
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
    this.#turnAt = Number.POSITIVE_INFINITY
    this.#unsubscribe()
    void this.#reader.stop()
  }

  #turn(): void {
    const now = performance.now()
    const turnedMs = now - this.#turnAt
    if (!this.#noteStall(now)) {
      this.#unreadMs += turnedMs
      this.#turnAt = now
      // Half a turn early rather than late.
      if (now - this.#reader.triedAt >= pollIntervalMs - turnMs / 2) this.#reader.read()
    }
    // Timers run before network input of the same turn: the answer may have arrived.
    if (this.#isOverdue()) setImmediate(() => this.#checkSight())
  }

  /** Whether the process has stalled since its last turn; its first act is then to read. */
  #noteStall(now: number): boolean {
    const stalledMs = now - this.#turnAt
    if (stalledMs <= stallMs) return false
    if (this.#readAt >= this.#wokeAt) this.#unreadMs = 0
    this.#turnAt = this.#wokeAt = now
    this.#stalls++
    this.#options.logger.warn({ stalledMs: Math.round(stalledMs) }, 'process.stalled')
    this.#reader.read()
    return true
  }

  #didRead(startedAt: number): void {
    this.#readAt = startedAt
    if (startedAt >= this.#wokeAt) this.#see()
  }

  /** Resolves the waits for changes that were committed before this read began. */
  #see(): void {
    this.#unreadMs = 0
    this.#blind = false
    for (const resolve of this.#awaitingSight) resolve()
  }

  /** A read that hangs is as blind as one that fails. */
  #isOverdue(): boolean {
    const unreadMsMax = this.#readAt >= this.#wokeAt ? trustedMs : freshMs
    return !this.#blind && !this.#stopped && this.#unreadMs > unreadMsMax
  }

  #checkSight(): void {
    if (!this.#isOverdue()) return
    this.#blind = true
    this.#options.logger.error({ unreadMs: Math.round(this.#unreadMs) }, 'rights.unreadable')
    this.#callListeners((listener) => listener.blind())
  }

  #tell(change: RightChange): void {
    this.#callListeners((listener) => listener.changed(change))
  }

  /** One that throws must not keep the others from cutting. */
  #callListeners(tell: (listener: RightsListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        tell(listener)
      } catch (error) {
        this.#options.logger.error({ err: error }, 'rightChange.followFailed')
      }
    }
  }
}

interface ChangeRow {
  id: number
  session_id: number | null
  user_id: number | null
  machine_id: number | null
  project_id: number | null
  reason: string
  address: string | null
  xid: string
}

const changeOf = (row: ChangeRow): RightChange => ({
  id: row.id,
  sessionId: row.session_id,
  userId: row.user_id,
  machineId: row.machine_id,
  projectId: row.project_id,
  reason: row.reason,
  address: row.address,
  xid: row.xid,
})
