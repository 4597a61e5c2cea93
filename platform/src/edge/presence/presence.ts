import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { Database } from '../../kernel/database/database.ts'
import { isRetryable } from '../../kernel/database/retryable.ts'
import type { NewFact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { ClockJob } from '../../kernel/jobs/index.ts'
import type { Logger } from '../../kernel/logger.ts'
import { listFaultSpans } from '../../modules/alarms/index.ts'
import {
  gapsBetween,
  listConnectedSpans,
  listGaps,
  listLostSpans,
  type Span,
  type Telemetry,
} from '../../modules/telemetry/index.ts'
import {
  type ConnectionRow,
  endOpenConnections,
  removeOldConnections,
  writeConnections,
} from './presence-store.ts'

const seenFlushMs = 10_000
const removeOldS = 3_600
/** Comings and goings are written together after this pause. */
const changeFlushMs = 200
const changesWaitingMax = 50_000
const retryPauseMs = 1_000

const hourMs = 3_600_000
const stripHours = 24
/** An hour of the strip, as the contract's `stripStates`. */
const strip = { unknown: 0, fine: 1, gap: 2, fault: 3 } as const
/** A reconnect is no outage worth showing. */
const gapMsMin = 60_000

export interface PresenceOptions {
  readonly db: Database
  /** Pools for commits of machines' data and for lists; `db` where missing. */
  readonly commits?: Database
  readonly lists?: Database
  readonly bus: Bus
  /** Where comings and goings are recorded; in the platform always. */
  readonly facts?: Pick<Facts, 'recordAll' | 'wake'> | undefined
  readonly logger: Logger
  readonly now: () => number
  readonly telemetry: Pick<Telemetry, 'markStale'>
}

/** One stretch of being connected. */
class Connection implements ConnectionRow {
  rowId: number | undefined
  readonly machineId: number
  readonly protocol: string
  readonly address: string
  readonly startedAt: number
  lastSeenAt: number
  endedAt: number | undefined

  constructor(machineId: number, protocol: string, address: string, startedAt: number) {
    this.machineId = machineId
    this.protocol = protocol
    this.address = address
    this.startedAt = startedAt
    this.lastSeenAt = startedAt
  }
}

/** A machine's being online, held by its connection while it lasts. */
export interface Online {
  /** Something came from the machine, at this time in epoch milliseconds. */
  lastSeenAt: number
}

/**
 * Who is online: in the memory of this process, kept in `machine_connections`. A machine is online from its birth
 * (Sparkplug) or its CONNECT (plain JSON) until its death or the end of its connection.
 */
export class Presence {
  readonly #options: PresenceOptions
  readonly #online = new Map<number, Connection>()
  readonly #lastSeen = new Map<number, number>()
  #changed = new Set<Connection>()
  /** Comings and goings that are not recorded yet. */
  #told: NewFact[] = []
  #changeTimer: NodeJS.Timeout | undefined
  #seenTimer: NodeJS.Timeout | undefined
  #seenFlushedAt = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(options: PresenceOptions) {
    this.#options = options
  }

  get jobs(): readonly ClockJob[] {
    const run = () => removeOldConnections(this.#commits)
    return [{ name: 'presence.removeOld', everyS: removeOldS, atOnce: true, run }]
  }

  /** Ends what a crash left open, at the last time it was seen. */
  async start(): Promise<void> {
    await endOpenConnections(this.#commits, this.#options.facts)
    this.#seenFlushedAt = this.#options.now()
    this.#seenTimer = setInterval(() => void this.#enqueueWrite(() => this.#writeSeen()), seenFlushMs)
  }

  /** Everybody goes offline, and that is written. */
  async stop(): Promise<void> {
    clearInterval(this.#seenTimer)
    for (const machineId of [...this.#online.keys()]) this.end(machineId)
    clearTimeout(this.#changeTimer)
    await this.#enqueueWrite(() => this.#writeChanges())
  }

  get #commits(): Database {
    return this.#options.commits ?? this.#options.db
  }

  isOnline(machineId: number): boolean {
    return this.#online.has(machineId)
  }

  get onlineCount(): number {
    return this.#online.size
  }

  /** The connection a machine has; undefined while it has none. */
  connection(machineId: number): { protocol: string; address: string; startedAt: number } | undefined {
    const open = this.#online.get(machineId)
    if (!open) return undefined
    const { protocol, address, startedAt } = open
    return { protocol, address, startedAt }
  }

  /** Epoch milliseconds; undefined when this process has not seen the machine. */
  lastSeenAt(machineId: number): number | undefined {
    return this.#online.get(machineId)?.lastSeenAt ?? this.#lastSeen.get(machineId)
  }

  /** A machine comes. One that was online by an earlier connection goes on by this one. */
  begin(machineId: number, protocol: string, address: string): Online {
    const now = this.#options.now()
    const before = this.#online.get(machineId)
    if (before) this.#close(before, now)
    const connection = new Connection(machineId, protocol, address, now)
    this.#online.set(machineId, connection)
    this.#enqueue(connection)
    if (!before) this.#tell(machineId, true, now)
    return connection
  }

  /** A machine goes: its values are stale at once. `held` must still be how it is online. */
  end(machineId: number, held?: Online): void {
    const connection = this.#online.get(machineId)
    if (!connection || (held && held !== connection)) return
    const now = this.#options.now()
    this.#online.delete(machineId)
    this.#lastSeen.set(machineId, connection.lastSeenAt)
    this.#close(connection, now)
    this.#options.telemetry.markStale(machineId)
    this.#tell(machineId, false, now)
  }

  /** A machine has another owner: it comes anew, and when it was seen before is nobody's to know. */
  forget(machineId: number): void {
    this.end(machineId)
    this.#lastSeen.delete(machineId)
  }

  /** 24 hours of each machine, oldest first, the running hour last; hours are those of the clock. */
  async strips(machineIds: readonly number[], now: number): Promise<Map<number, number[]>> {
    const lastHour = Math.floor(now / hourMs) * hourMs
    const from = lastHour - (stripHours - 1) * hourMs
    const db = this.#options.lists ?? this.#options.db
    const [connected, faults, lost] = await Promise.all([
      listConnectedSpans(db, machineIds, { from, to: now, now }),
      listFaultSpans(db, machineIds, from, now),
      listLostSpans(db, machineIds, { from, to: now }),
    ])
    const faultsOf = Map.groupBy(faults, (span) => span.machineId)
    const lostOf = Map.groupBy(lost, (span) => span.machineId)
    return new Map(
      machineIds.map((machineId) => {
        const known = connected.get(machineId)
        const spans = faultsOf.get(machineId)
        const hours = Array.from({ length: stripHours }, (_, index) => {
          const start = from + index * hourMs
          const end = Math.min(start + hourMs, now)
          const isFaulty = spans?.some((span) => span.from < start + hourMs && span.to >= start) === true
          const hour = hourOf(known, isFaulty, start, end)
          const hasLost = lostOf.get(machineId)?.some((span) => span.from < end && span.to >= start)
          // Connected all the time, and yet not all of it is known.
          return hour === strip.fine && hasLost ? strip.gap : hour
        })
        return [machineId, hours]
      }),
    )
  }

  /** Times in which a machine that was known by then was not connected. */
  gaps(machineId: number, from: number, to: number): Promise<Span[]> {
    return listGaps(this.#options.db, machineId, { from, to, now: this.#options.now() })
  }

  /** At once within this process; recorded with the connection, all machines of that moment in one statement. */
  #tell(machineId: number, online: boolean, at: number): void {
    if (this.#options.facts && this.#told.length < changesWaitingMax)
      this.#told.push({ kind: online ? 'machine.online' : 'machine.offline', machineId, at })
    this.#options.bus.publish('presence', { machineId, online, at })
  }

  #close(connection: Connection, now: number): void {
    connection.endedAt = Math.max(connection.startedAt, now)
    this.#enqueue(connection)
  }

  #enqueue(connection: Connection): void {
    if (this.#changed.size < changesWaitingMax) this.#changed.add(connection)
    this.#changeTimer ??= setTimeout(() => {
      this.#changeTimer = undefined
      void this.#enqueueWrite(() => this.#writeChanges())
    }, changeFlushMs)
  }

  /** Writes follow one another: a connection's end comes after its begin. */
  #enqueueWrite(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(write).catch((error) => {
      this.#options.logger.warn({ err: error }, 'presence could not be written')
    })
    return this.#writing
  }

  async #writeChanges(): Promise<void> {
    const changed = [...this.#changed]
    this.#changed = new Set()
    if (changed.length === 0) return
    let told = this.#told
    this.#told = []
    const { facts } = this.#options
    try {
      await writeConnections(this.#commits, changed, {
        write: async (recorder) => facts?.recordAll(recorder, told),
        committed: () => {
          told = []
          facts?.wake()
        },
      })
    } catch (error) {
      if (!isRetryable(error)) throw error
      this.#told = [...told, ...this.#told]
      for (const connection of changed) this.#changed.add(connection)
      this.#options.logger.warn({ err: error }, 'presence is written later')
      await sleep(retryPauseMs)
      this.#changeTimer ??= setTimeout(() => {
        this.#changeTimer = undefined
        void this.#enqueueWrite(() => this.#writeChanges())
      }, changeFlushMs)
    }
  }

  async #writeSeen(): Promise<void> {
    const since = this.#seenFlushedAt
    this.#seenFlushedAt = this.#options.now()
    // One without a row is written by its change, after the end of the one before it.
    const seen = [...this.#online.values()].filter(
      ({ rowId, lastSeenAt }) => rowId !== undefined && lastSeenAt >= since,
    )
    if (seen.length > 0) await writeConnections(this.#commits, seen)
  }
}

function hourOf(
  known: { readonly knownFrom: number; readonly spans: readonly Span[] } | undefined,
  hasFault: boolean,
  start: number,
  end: number,
): number {
  if (!known || known.knownFrom >= end) return strip.unknown
  if (hasFault) return strip.fault
  const from = Math.max(start, known.knownFrom)
  const awayMs = gapsBetween(known.spans, from, end).reduce(
    (sum, [gapFrom, gapTo]) => sum + gapTo - gapFrom,
    0,
  )
  if (awayMs >= end - from && awayMs > 0) return strip.fault
  return awayMs >= Math.min(gapMsMin, end - from) && awayMs > 0 ? strip.gap : strip.fine
}
