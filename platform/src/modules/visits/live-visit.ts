import { type visits as contract, limits, timing } from '@busbar/contract'
import type { Logger } from '../../kernel/logger.ts'
import type { RightsWatch } from '../../kernel/rights/rights-watch.ts'
import type { Embedding } from './embedding.ts'
import { LastRun } from './last-run.ts'
import type { OpenVisit, VisitHold, VisitStream } from './visit-port.ts'
import type { PortCount, PortReach } from './visit-ports.ts'
import type { VisitCounts, VisitRow } from './visits-store.ts'

/** The duration and the rights of a visit. Instants in epoch milliseconds. */
export interface Permission {
  readonly mode: contract.VisitMode
  readonly until: number
  /** Why it ends then. */
  readonly untilReason: 'timeUp' | 'visitTimeOver'
  /** Of a visit in a project's portal. */
  readonly embedding?: Embedding | undefined
}

/** The part of the watch of rights that a visit asks before it lets data pass. */
export type Sight = Pick<RightsWatch, 'isAwake' | 'whenFresh' | 'stalls'>

/** After a decision took longer, the open streams are cut (rules/visits.md: streams). */
export const decideMsMax = 1_000

/**
 * A visit in this process: its streams, their counts, and the last decision about it. It does not decide or store
 * anything.
 */
export class LiveVisit implements OpenVisit {
  readonly visitId: number
  readonly machineId: number
  readonly userId: number
  /** Null of a visit in a project's portal. */
  readonly sessionId: number | null
  readonly projectId: number | null
  readonly linkId: number | null
  readonly userName: string
  readonly lang: 'cn' | 'en'
  readonly target: string
  readonly reach: PortReach | undefined
  readonly startedAt: number
  /** Decides anew; requests of the host wait for it meanwhile. */
  readonly decision: LastRun
  /** Wakes for the next thing a clock does to this visit. */
  timer: NodeJS.Timeout | undefined
  /** Whether its page can be made read-only; undefined until the machine has answered. */
  canWatch: boolean | undefined
  /** Number of changes of the machine's tunnel: an answer from before a change is dropped. */
  tunnelsSeen = 0
  /** The idle end that was warned of. */
  warnedOf = 0
  /** The end of its time that was warned of. */
  warnedUntil = 0
  readonly #logger: Logger
  readonly #now: () => number
  readonly #onCut: () => void
  readonly #rights: Sight
  /** Stalls of this process after which it was decided that the visit goes on. */
  #stallsPassed: number
  readonly #streams = new Map<VisitStream, contract.VisitMode>()
  #permission: Permission
  #isDecided = false
  #ended: contract.VisitEndReason | undefined
  #activeAt: number
  #pageSeenAt: number | undefined
  #storedActiveAt: number
  #bytesIn = 0
  #bytesOut = 0
  #ports = new Map<string, PortCount>()

  constructor(
    row: VisitRow,
    deps: {
      logger: Logger
      now: () => number
      decide: (visit: LiveVisit, isLast: () => boolean) => Promise<void>
      /** Called for each stream that is cut. */
      onCut: () => void
      rights: Sight
    },
  ) {
    this.visitId = row.id
    this.machineId = row.machine_id
    this.userId = row.user_id
    this.sessionId = row.session_id
    this.projectId = row.project_id
    this.linkId = row.link_id
    this.userName = row.user_name
    this.lang = row.lang as 'cn' | 'en'
    this.target = row.target
    this.reach = (row.port_reach ?? undefined) as PortReach | undefined
    this.startedAt = row.started_at.getTime()
    this.#activeAt = row.active_at.getTime()
    this.#storedActiveAt = this.#activeAt
    this.#permission = { mode: 'ro', until: row.ends_at.getTime(), untilReason: 'timeUp' }
    this.#logger = deps.logger
    this.#now = deps.now
    this.#onCut = deps.onCut
    this.#rights = deps.rights
    this.#stallsPassed = deps.rights.stalls
    this.decision = new LastRun((isLast) => deps.decide(this, isLast))
  }

  get mode(): contract.VisitMode {
    return this.#permission.mode
  }

  get until(): number {
    return this.#permission.until
  }

  get embedding(): Embedding | undefined {
    return this.#permission.embedding
  }

  get untilReason(): Permission['untilReason'] {
    return this.#permission.untilReason
  }

  /** False before the first decision, and again while rights cannot be read: nothing passes. */
  get isDecided(): boolean {
    return this.#isDecided
  }

  get ended(): contract.VisitEndReason | undefined {
    return this.#ended
  }

  get activeAt(): number {
    return this.#activeAt
  }

  /** When it ends without activity and without an attending page. */
  get idleAt(): number {
    return this.#activeAt + timing.visitIdleMs
  }

  get streamCount(): number {
    return this.#streams.size
  }

  hold(stream: VisitStream, mode: contract.VisitMode): VisitHold | undefined {
    // The visit was found just before: changes since then apply to this stream too. A page that cannot be made
    // read-only is closed to a person with read-only access.
    // Which ports can be looked at is known at the port.
    const isWatchable = this.reach !== undefined || this.canWatch
    const exceeds = this.mode === 'ro' && (mode === 'rw' || !isWatchable)
    if (this.#ended || !this.#isDecided || exceeds) {
      this.#cut(stream, this.#ended ?? (this.#isDecided ? 'replaced' : 'platform'))
      return undefined
    }
    if (this.#streams.size >= limits.streamsPerVisit) return undefined
    this.#streams.set(stream, mode)
    if (this.warnedUntil === this.until) stream.warn?.('timeUp', this.until)
    if (this.warnedOf === this.idleAt) stream.warn?.('idle', this.idleAt)
    return {
      sent: (bytes) => {
        this.#bytesIn += bytes
      },
      received: (bytes) => {
        this.#bytesOut += bytes
      },
      active: () => this.markActive(this.#now()),
      release: () => {
        if (this.#streams.delete(stream)) this.markPage(this.#now())
      },
      mayPass: () => this.#rights.isAwake() && this.#stallsPassed === this.#rights.stalls,
      whenMayPass: async () => (await this.#goesOn()) && this.#streams.has(stream),
    }
  }

  /** Resolves, after a stall of this process, when the rights were read and the visit was decided by them. */
  async #goesOn(): Promise<boolean> {
    for (;;) {
      if (!(await this.#rights.whenFresh())) return false
      const { stalls } = this.#rights
      await this.decision.wait(decideMsMax)
      if (this.#ended || !this.#isDecided || this.decision.isRunning) return false
      if (!this.#rights.isAwake() || stalls !== this.#rights.stalls) continue
      this.#stallsPassed = stalls
      return true
    }
  }

  /** Tells its streams that it will end. */
  warn(reason: 'idle' | 'timeUp', at: number): void {
    for (const stream of this.#streams.keys()) stream.warn?.(reason, at)
  }

  countPort(count: Pick<PortCount, 'name' | 'kind'> & Partial<PortCount>): void {
    const { name, kind } = count
    const before = this.#ports.get(name)
    const sum = (part: Exclude<keyof PortCount, 'name' | 'kind'>) =>
      (before?.[part] ?? 0) + (count[part] ?? 0)
    this.#ports.set(name, {
      ...{ name, kind, streams: sum('streams'), bytesIn: sum('bytesIn'), bytesOut: sum('bytesOut') },
      ...{ reads: sum('reads'), writes: sum('writes'), refused: sum('refused') },
    })
  }

  markActive(at: number): void {
    if (at > this.#activeAt) this.#activeAt = at
  }

  /** Notes a request of a page of the visit. */
  markPage(at: number): void {
    this.#pageSeenAt = Math.max(this.#pageSeenAt ?? at, at)
  }

  /** The machine has another tunnel, or none: its agent's answer does not count any more. */
  forgetTarget(): void {
    this.canWatch = undefined
    this.tunnelsSeen++
  }

  /** When a page of the visit was last open, as far as this process knows; undefined if it served none. */
  pageSeenAt(now: number): number | undefined {
    if (this.#streams.size > 0) this.markPage(now)
    return this.#pageSeenAt
  }

  /** Applies a decision: streams that were opened with more are cut first. */
  allow(permission: Permission): void {
    if (this.#ended) return
    this.#permission = permission
    this.#isDecided = true
    if (permission.mode === 'ro') this.watchOnly('replaced')
  }

  /** Takes the way to change anything away at once, until it is decided anew. */
  watchOnly(reason: contract.VisitEndReason): void {
    this.#permission = { ...this.#permission, mode: 'ro' }
    for (const [stream, mode] of this.#streams) if (mode === 'rw') this.#cut(stream, reason)
  }

  /** The visit's right cannot be decided now: no byte passes until it can. */
  suspend(reason: contract.VisitEndReason = 'platform'): void {
    this.#isDecided = false
    for (const stream of this.#streams.keys()) this.#cut(stream, reason)
  }

  /** It is over: nothing passes any more. */
  finish(reason: contract.VisitEndReason): void {
    this.#ended ??= reason
    clearTimeout(this.timer)
    for (const stream of this.#streams.keys()) this.#cut(stream, reason)
  }

  /** Takes the bytes and requests since the last call; undefined if nothing has to be stored. */
  takeCounts(): VisitCounts | undefined {
    const isActive = this.#bytesIn > 0 || this.#bytesOut > 0 || this.#activeAt !== this.#storedActiveAt
    if (!isActive && this.#ports.size === 0) return undefined
    const counts = {
      visitId: this.visitId,
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
      activeAt: this.#activeAt,
      ports: [...this.#ports.values()],
    }
    this.#ports = new Map()
    this.#bytesIn = 0
    this.#bytesOut = 0
    this.#storedActiveAt = this.#activeAt
    return counts
  }

  /** Takes back counts that could not be stored. */
  giveBack(counts: VisitCounts): void {
    this.#bytesIn += counts.bytesIn
    this.#bytesOut += counts.bytesOut
    this.#storedActiveAt = 0
    for (const port of counts.ports) this.countPort(port)
  }

  /** One that throws must not keep the others open. */
  #cut(stream: VisitStream, reason: contract.VisitEndReason): void {
    this.#streams.delete(stream)
    this.markPage(this.#now())
    this.#onCut()
    try {
      stream.cut(reason)
    } catch (error) {
      this.#logger.error({ err: error, visit: this.visitId }, 'stream.cutFailed')
    }
  }
}
