import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { Database } from '../../kernel/database/database.ts'
import { isPassing } from '../../kernel/database/database-fault.ts'
import { every } from '../../kernel/every.ts'
import type { NewFact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { ClockJob } from '../../kernel/jobs/index.ts'
import type { Logger } from '../../kernel/logger.ts'
import { onlyNodeId } from '../../kernel/nodes/nodes.ts'
import { silentS } from '../../kernel/nodes/nodes-store.ts'
import type { Telemetry } from '../../modules/telemetry/index.ts'
import { listTakenOver, noteFirst, writeConnections } from './connections-write.ts'
import { httpSilenceMsMax } from './http-silence.ts'
import {
  type Beside,
  type ConnectionRow,
  endOwnConnections,
  endSilentConnections,
  removeOldConnections,
  type Written,
} from './presence-store.ts'

const seenFlushMs = 10_000
/** Machines whose last-seen time is stored in one write. After a storm of alarms this concerns all machines. */
const seenPerWrite = 100
/** The pause after each write, as a multiple of its duration, so that values of machines can be stored. */
const seenRestFactor = 3
/** The upper limit of this pause. */
const seenRestMsMax = 300
const removeOldS = 3_600
const endSilentS = 5
/** Machines that come online or go offline are written together after this pause. */
const changeFlushMs = 200
const changesWaitingMax = 50_000
const retryPauseMs = 1_000
/** The time for a handed-over machine to connect to another node; the same as after a crash of its node. */
const comesMsMax = silentS * 1_000

export interface PresenceOptions {
  readonly db: Database
  /** Pool for commits of machines' data; `db` where missing. */
  readonly commits?: Database
  readonly bus: Bus
  /** Records machines that come and go; always set in the platform. */
  readonly facts?: Pick<Facts, 'recordAll' | 'wake'> | undefined
  readonly logger: Logger
  readonly now: () => number
  readonly telemetry: Pick<Telemetry, 'markStale'>
  /** The node of these connections; that of a platform with one node if missing. */
  readonly nodeId?: string | undefined
  /** Called when another node has a newer connection of a machine: the one here has to end. */
  readonly onTakenOver?: ((machineId: number) => void) | undefined
}

/** A change to online or offline that is not recorded yet. */
interface Told {
  readonly fact: NewFact
  /** The connection that ended with this event; the event is dropped if another process had ended it. */
  readonly ends?: Connection
  /** The connection before it: the machine came online only if another process had ended that one. */
  readonly replaces?: Connection
}

/** One period of a connection. */
class Connection implements ConnectionRow {
  rowId: number | undefined
  readonly machineId: number
  readonly protocol: string
  readonly address: string
  readonly startedAt: number
  lastSeenAt: number
  endedAt: number | undefined
  expectedMs: number | undefined
  notedUntil = Number.NEGATIVE_INFINITY

  constructor(machineId: number, protocol: string, address: string, startedAt: number) {
    this.machineId = machineId
    this.protocol = protocol
    this.address = address
    this.startedAt = startedAt
    this.lastSeenAt = startedAt
  }
}

/** From where a machine is connected, and since when in epoch milliseconds. */
interface Place {
  readonly protocol: string
  readonly address: string
  readonly startedAt: number
}

function placeOf(connection: Connection | undefined): Place | undefined {
  if (!connection) return undefined
  const { protocol, address, startedAt } = connection
  return { protocol, address, startedAt }
}

/** The online state of a machine; its connection has this object while it lasts. */
export interface Online {
  /** Something came from the machine, at this time in epoch milliseconds. */
  lastSeenAt: number
}

/**
 * The machines that are online: in the memory of this process, stored in `machine_connections`. A machine is online
 * from its birth (Sparkplug) or its CONNECT (plain JSON) until its death or the end of its connection.
 */
export class Presence {
  readonly #options: PresenceOptions
  readonly #online = new Map<number, Connection>()
  readonly #lastSeen = new Map<number, number>()
  /** Machines that were let go, until that is written. */
  readonly #lettingGo = new Map<number, Connection>()
  /** The newest epochs published by other nodes for machines whose connection here is not written yet. */
  readonly #epochsElsewhere = new Map<number, number>()
  #changed = new Set<Connection>()
  #told: Told[] = []
  #changeTimer: NodeJS.Timeout | undefined
  #seenTimer: NodeJS.Timeout | undefined
  #rewriteTimer: NodeJS.Timeout | undefined
  #seenFlushedAt = 0
  #isNotingSeen = false
  #isStopped = false
  #writing: Promise<void> = Promise.resolve()

  constructor(options: PresenceOptions) {
    this.#options = options
  }

  get jobs(): readonly ClockJob[] {
    const removeOld = () => removeOldConnections(this.#commits)
    return [
      { name: 'presence.removeOld', everyS: removeOldS, atOnce: true, run: removeOld },
      { name: 'presence.endSilent', everyS: endSilentS, run: () => this.endSilent() },
    ]
  }

  /** Ends the connections that a crash of this node left open, at the last time it was seen. */
  async start(): Promise<void> {
    await endOwnConnections(this.#commits, this.#nodeId, this.#options.facts)
    this.#seenFlushedAt = this.#options.now()
    this.#seenTimer = every(seenFlushMs, () => this.#noteSeen(), this.#options.logger)
  }

  /** Sets the machines of dead nodes offline. */
  async endSilent(): Promise<void> {
    const { bus, facts, now } = this.#options
    for (const machineId of await endSilentConnections(this.#commits, this.#nodeId, facts))
      if (!this.isOnline(machineId)) bus.publish('presence', { machineId, online: false, at: now() })
  }

  /** Reopens connections that another node ended while this one counted as dead; repeated until it is written. */
  rewrite(): Promise<void> {
    return this.#enqueueWrite(async () => {
      try {
        await this.#writeKnown([...this.#online.values()], true)
      } catch (error) {
        this.#options.logger.warn({ err: error }, 'presence.rewriteFailed')
        clearTimeout(this.#rewriteTimer)
        if (!this.#isStopped) this.#rewriteTimer = setTimeout(() => void this.rewrite(), retryPauseMs)
      }
    })
  }

  /** Writes at once what has changed. */
  flush(): Promise<void> {
    clearTimeout(this.#changeTimer)
    this.#changeTimer = undefined
    return this.#enqueueWrite(() => this.#writeChanges())
  }

  /** Sets all machines offline, or with `handsOver` hands them to other nodes, and writes this. */
  async stop(handsOver = false): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#seenTimer)
    clearTimeout(this.#rewriteTimer)
    for (const machineId of [...this.#online.keys()])
      if (handsOver) this.letGo(machineId)
      else this.end(machineId)
    await this.flush()
  }

  get #commits(): Database {
    return this.#options.commits ?? this.#options.db
  }

  get #nodeId(): string {
    return this.#options.nodeId ?? onlyNodeId
  }

  /** Another node wrote a connection of a machine. Of two connections, the one written later is valid. */
  heldElsewhere(machineId: number, epoch: number): void {
    const connection = this.#online.get(machineId)
    if (!connection) return
    if (connection.rowId === undefined) {
      this.#epochsElsewhere.set(machineId, Math.max(epoch, this.#epochsElsewhere.get(machineId) ?? 0))
    } else if (connection.rowId < epoch) this.#options.onTakenOver?.(machineId)
  }

  isOnline(machineId: number): boolean {
    return this.#online.has(machineId)
  }

  get onlineCount(): number {
    return this.#online.size
  }

  /** The connection of a machine; undefined without one. */
  connection(machineId: number): Place | undefined {
    return placeOf(this.#online.get(machineId))
  }

  /** The connection of a machine that was let go, until the database shows that it is about to come to another node. */
  lettingGo(machineId: number): Place | undefined {
    return placeOf(this.#lettingGo.get(machineId))
  }

  /** Epoch milliseconds; undefined when this process has not seen the machine. */
  lastSeenAt(machineId: number): number | undefined {
    return this.#online.get(machineId)?.lastSeenAt ?? this.#lastSeen.get(machineId)
  }

  /** A machine comes online. If it was online by an earlier connection, this one continues it. */
  begin(machineId: number, protocol: string, address: string): Online {
    const now = this.#options.now()
    const before = this.#online.get(machineId)
    const letGo = this.#lettingGo.get(machineId)
    this.#lettingGo.delete(machineId)
    if (before) this.#close(before, now)
    // A machine has one open connection: the one that was let go may still wait for its own row.
    if (letGo) this.#close(letGo, now)
    const connection = new Connection(machineId, protocol, address, now)
    this.#online.set(machineId, connection)
    this.#enqueue(connection)
    if (!before) this.#tell(machineId, now)
    else this.#record({ fact: { kind: 'machine.online', machineId, at: now }, replaces: before })
    return connection
  }

  /** A machine goes offline: its values become stale at once. `held` must still be its present online state. */
  end(machineId: number, held?: Online): void {
    const connection = this.#online.get(machineId)
    if (!connection || (held && held !== connection)) return
    const now = this.#options.now()
    this.#online.delete(machineId)
    this.#lastSeen.set(machineId, connection.lastSeenAt)
    this.#close(connection, now)
    this.#options.telemetry.markStale(machineId)
    this.#tell(machineId, now, connection)
  }

  /**
   * Another node takes over a machine. It stays online; if it does not connect in time, its connection ends at the time
   * when it was last seen here. `held` as for `end`.
   */
  letGo(machineId: number, held?: Online): void {
    const connection = this.#online.get(machineId)
    if (!connection || (held && held !== connection)) return
    const now = this.#options.now()
    this.#online.delete(machineId)
    const isHttp = connection.protocol === 'http'
    if (!isHttp) connection.lastSeenAt = now
    connection.expectedMs = isHttp ? Math.max(connection.lastSeenAt + httpSilenceMsMax - now, 0) : comesMsMax
    this.#lettingGo.set(machineId, connection)
    this.#lastSeen.set(machineId, connection.lastSeenAt)
    this.#enqueue(connection)
    this.#options.bus.publish('presence', { machineId, online: false, at: now })
  }

  /** A machine has a new owner: it reconnects, and must not show the former owner's last time online. */
  forget(machineId: number): void {
    this.end(machineId)
    this.#lastSeen.delete(machineId)
    this.#lettingGo.delete(machineId)
  }

  /** At once within this process; recorded with the connection, all machines of that moment in one statement. */
  #tell(machineId: number, at: number, ends?: Connection): void {
    if (ends) this.#record({ fact: { kind: 'machine.offline', machineId, at }, ends })
    else this.#record({ fact: { kind: 'machine.online', machineId, at } })
    this.#options.bus.publish('presence', { machineId, online: !ends, at })
  }

  #record(told: Told): void {
    if (this.#options.facts && this.#told.length < changesWaitingMax) this.#told.push(told)
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
      this.#options.logger.warn({ err: error }, 'presence.writeFailed')
    })
    return this.#writing
  }

  async #writeChanges(): Promise<void> {
    const changed = [...this.#changed]
    this.#changed = new Set()
    if (changed.length === 0) return
    let told = this.#told
    this.#told = []
    const fresh = changed.filter(({ rowId }) => rowId === undefined)
    const beside = this.#beside(told)
    const committed = () => {
      told = []
      beside.committed()
    }
    try {
      await writeConnections(this.#commits, changed, {
        nodeId: this.#nodeId,
        beside: { ...beside, committed },
      })
      for (const connection of fresh) this.#publishHeld(connection)
      for (const connection of changed) this.#noteWritten(connection)
    } catch (error) {
      if (!isPassing(error) && !isHeldElsewhere(error)) throw error
      this.#told = [...told, ...this.#told]
      for (const connection of changed) this.#changed.add(connection)
      this.#options.logger.warn({ err: error }, 'presence.writePostponed')
      await sleep(retryPauseMs)
      this.#changeTimer ??= setTimeout(() => {
        this.#changeTimer = undefined
        void this.#enqueueWrite(() => this.#writeChanges())
      }, changeFlushMs)
    }
  }

  /** A connection that has changed since the write began is written once more. */
  #noteWritten(connection: Connection): void {
    const { machineId } = connection
    if (this.#lettingGo.get(machineId) !== connection || this.#changed.has(connection)) return
    this.#lettingGo.delete(machineId)
  }

  /** Publishes that a machine is here, and notices if it connected to another node meanwhile. */
  #publishHeld({ machineId, rowId: epoch }: Connection): void {
    if (this.#online.get(machineId)?.rowId !== epoch || epoch === undefined) return
    const elsewhere = this.#epochsElsewhere.get(machineId)
    this.#epochsElsewhere.delete(machineId)
    if (elsewhere !== undefined && epoch < elsewhere) this.#options.onTakenOver?.(machineId)
    else this.#options.bus.publish('held', { machineId, nodeId: this.#nodeId, epoch })
  }

  /** Comings and goings are written between its writes. */
  async #noteSeen(): Promise<void> {
    if (this.#isNotingSeen) return
    this.#isNotingSeen = true
    const since = this.#seenFlushedAt
    this.#seenFlushedAt = this.#options.now()
    const seen = [...this.#online.values()].filter(({ lastSeenAt }) => lastSeenAt >= since)
    for (let from = 0; from < seen.length && !this.#isStopped; from += seenPerWrite) {
      const startedAt = performance.now()
      await this.#enqueueWrite(() => this.#writeKnown(seen.slice(from, from + seenPerWrite)))
      if (from + seenPerWrite >= seen.length) break
      await sleep(Math.min((performance.now() - startedAt) * seenRestFactor, seenRestMsMax))
    }
    this.#isNotingSeen = false
  }

  /** One without a row is written by its change, after the end of the one before it. */
  async #writeKnown(connections: readonly Connection[], reopens = false): Promise<void> {
    const known = connections.filter(({ rowId }) => rowId !== undefined)
    if (known.length === 0) return
    const beside = reopens ? this.#beside([]) : undefined
    await writeConnections(this.#commits, known, { nodeId: this.#nodeId, beside, reopens })
    // The other node's message may have been lost.
    for (const taken of await listTakenOver(this.#commits, known))
      if (this.#online.get(taken.machineId) === taken) this.#options.onTakenOver?.(taken.machineId)
  }

  /**
   * Records the facts of a write: a machine whose connection another node took over or ended does not go again when
   * that connection ends here, and one whose connection is open again is back.
   */
  #beside(told: readonly Told[]): Beside {
    const { facts, now } = this.#options
    const factsOf = ({ ended, reopened }: Written): NewFact[] => [
      ...told.filter((one) => isTrue(one, ended)).map(({ fact }) => fact),
      ...reopened.map((machineId) => ({ kind: 'machine.online', machineId, at: now() }) as const),
    ]
    return {
      async write(client, written) {
        if (!facts) return
        const recorded = factsOf(written)
        await facts.recordAll(client, [...recorded, ...(await noteFirst(client, recorded))])
      },
      committed: () => facts?.wake(),
    }
  }
}

const isTrue = ({ ends, replaces }: Told, ended: ReadonlySet<ConnectionRow>): boolean =>
  (!ends || ended.has(ends)) && (!replaces || !ended.has(replaces))

/** Another node wrote the same machine's connection at the same moment (unique_violation). */
const isHeldElsewhere = (error: unknown): boolean => (error as { code?: string }).code === '23505'
