import { type visits as contract, timing } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { RightChange, RightsWatch } from '../../kernel/rights/rights-watch.ts'
import { endsWithin, visitsStopMsMax } from '../../kernel/stop-budget.ts'
import type { AccessPort } from '../access/index.ts'
import type { Attendance } from './attendance.ts'
import { BoundedMap } from './bounded-map.ts'
import { nearRelease } from './control-release-store.ts'
import { listControlRequests } from './controller-store.ts'
import type { EmbeddingPort } from './embedding.ts'
import { decideMsMax, LiveVisit } from './live-visit.ts'
import { learnTarget } from './targets.ts'
import { VisitClock } from './visit-clock.ts'
import { VisitDecider } from './visit-decider.ts'
import { VisitEndings, type VisitRef } from './visit-endings.ts'
import type { VisitEvents } from './visit-events.ts'
import { findVisit } from './visits-store.ts'

const endedMax = 10_000

export interface LiveVisitsDeps {
  readonly db: Kysely<DB>
  /** Database and access for decisions about visits, with a separate pool. */
  readonly decisions: { readonly db: Kysely<DB>; readonly access: AccessPort }
  readonly embeddings: EmbeddingPort
  readonly bus: Bus
  readonly logger: Logger
  readonly access: AccessPort
  readonly rights: Pick<RightsWatch, 'subscribe' | 'isAwake' | 'stalls' | 'whenFresh'>
  readonly link: Pick<EdgeLink, 'tunnel' | 'onTunnelChange'>
  readonly attendance: Attendance
  readonly facts: Pick<Facts, 'record' | 'recordAll'>
  readonly events: VisitEvents
  now(): number
}

/** A visit that is over, with the reason that its cookie gets. */
export interface EndedVisit {
  readonly ended: contract.VisitEndReason
  readonly lang: 'cn' | 'en'
}

/**
 * Every live visit that this process knows. The database decides; the copy here is decided anew whenever right_changes
 * or a fact names the visit's person, machine or session, and is cut before anything is written about it.
 */
export class LiveVisits {
  readonly #deps: LiveVisitsDeps
  readonly #clock: VisitClock
  readonly #endings: VisitEndings
  readonly #decider: VisitDecider
  readonly #visits = new Map<number, LiveVisit>()
  readonly #loads = new Map<number, Promise<LiveVisit | EndedVisit | undefined>>()
  readonly #ended = new BoundedMap<number, EndedVisit>(endedMax)
  readonly #work = new Set<Promise<unknown>>()
  readonly #subscriptions: (() => void)[] = []
  /** Visits that ended here, by reason. */
  readonly endedCounts = new Map<contract.VisitEndReason, number>()
  /** Streams cut because their visit lost its right or ended. */
  cutStreams = 0

  constructor(deps: LiveVisitsDeps) {
    this.#deps = deps
    this.#endings = new VisitEndings(deps)
    this.#clock = new VisitClock({
      attendance: deps.attendance,
      now: deps.now,
      timeUp: (visit) => this.#track(this.end(visit, 'timeUp')),
      visitTimeOver: (visit) => {
        // Cut exactly then; whether the visit time was prolonged meanwhile is asked afterwards.
        visit.suspend('visitTimeOver')
        return this.decide(visit)
      },
      idle: (visit) => this.#endIdle(visit),
      warn(visit, reason, at) {
        visit.warn(reason, at)
        if (reason === 'idle') deps.events.enqueueVisit(visit.visitId)
      },
      track: (work) => this.#track(work),
    })
    this.#decider = new VisitDecider({
      ...deps,
      endings: this.#endings,
      clock: this.#clock,
      forget: (visit, reason) => this.#forget(visit, reason),
      end: (visit, reason) => this.end(visit, reason),
      track: (work) => this.#track(work),
    })
  }

  /** Follows rights, tunnels and bars on screens from here on. */
  start(): void {
    const { rights, embeddings, attendance, link } = this.#deps
    this.#subscriptions.push(
      rights.subscribe({
        changed: (change) => this.#followRights(change),
        blind: () => {
          for (const visit of this.#visits.values()) visit.suspend()
        },
      }),
      embeddings.subscribe(() => {
        // The project lost the machine; other changes of a project are followed by its own entry.
        for (const visit of this.#visits.values()) {
          const { projectId, linkId, machineId } = visit
          const isOfProject = projectId !== null && linkId !== null
          if (isOfProject && !embeddings.isHeld({ projectId, linkId, machineId }))
            this.#track(this.decide(visit))
        }
      }),
      attendance.onChange((userId, visitId, isAttended) => this.#attend(userId, visitId, isAttended)),
      link.onTunnelChange((machineId) => {
        for (const visit of this.#visits.values()) if (visit.machineId === machineId) visit.forgetTarget()
      }),
    )
  }

  /** Cuts open streams and waits for running writes; the visits go on. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    for (const visit of this.#visits.values()) visit.suspend()
    // A database that hangs must not keep the platform from stopping.
    await endsWithin(visitsStopMsMax, () => Promise.allSettled(this.#work))
    for (const visit of this.#visits.values()) clearTimeout(visit.timer)
  }

  list(): LiveVisit[] {
    return [...this.#visits.values()]
  }

  /** A visit that is in memory. */
  find(visitId: number): LiveVisit | EndedVisit | undefined {
    return this.#visits.get(visitId) ?? this.#ended.get(visitId)
  }

  /**
   * A visit, from the database the first time; simultaneous callers share one query. Undefined if it does not exist.
   */
  load(visitId: number): Promise<LiveVisit | EndedVisit | undefined> {
    const known = this.#loads.get(visitId)
    if (known) return known
    const found = this.find(visitId)
    if (found) return Promise.resolve(found)
    const load = this.#load(visitId).finally(() => this.#loads.delete(visitId))
    this.#loads.set(visitId, load)
    return load
  }

  /** True when `settle` would change nothing: the way of nearly every request. */
  isSettled(visit: LiveVisit, now: number): boolean {
    const isDecided = visit.isDecided && !visit.decision.isRunning && !visit.ended
    return (
      isDecided && (visit.mode === 'rw' || visit.canWatch !== undefined) && !this.#clock.isDue(visit, now)
    )
  }

  /** Decides about a visit anew; a decision that takes too long goes on by itself. */
  async decide(visit: LiveVisit): Promise<void> {
    this.#track(visit.decision.run())
    await visit.decision.wait(decideMsMax)
  }

  /** Waits for the last decision about a visit, requests one if there is none, and checks the clock. */
  async settle(visit: LiveVisit, now: number): Promise<void> {
    await visit.decision.wait(decideMsMax)
    if (!visit.ended && !visit.isDecided && !visit.decision.isRunning) await this.decide(visit)
    if (!visit.ended && visit.isDecided && this.#clock.isDue(visit, now)) await this.#clock.check(visit, now)
    if (visit.mode === 'ro' && visit.canWatch === undefined) await learnTarget(this.#deps.link, visit)
  }

  /**
   * Ends a visit: its streams are cut first, then the end is written, then it is published. A failed write is tried
   * again; the caller gets the error.
   */
  async end(visit: VisitRef, reason: contract.VisitEndReason, endedBy: number | null = null): Promise<void> {
    const live = this.#visits.get(visit.visitId)
    const now = this.#deps.now()
    const at = live ? Math.max(live.startedAt, Math.min(now, live.until)) : now
    const counts = live?.takeCounts()
    if (live) this.#forget(live, reason)
    const { visitId, machineId, userId } = visit
    await this.#endings.save({
      visitId,
      machineId,
      userId,
      reason,
      endedBy,
      at,
      ...(counts ? { counts } : {}),
    })
  }

  /** Decides anew about the visits of a person in a machine; null: of everybody, in every machine. */
  follow(userId: number | null, machineId: number | null): void {
    for (const visit of this.list()) {
      if (userId !== null && userId !== visit.userId) continue
      if (machineId === null || machineId === visit.machineId) this.#track(this.decide(visit))
    }
  }

  #followProject(projectId: number): void {
    for (const visit of this.list()) if (visit.projectId === projectId) this.#track(this.decide(visit))
  }

  /** The controller went from one visit to another: cut first where it went from. */
  async moveControl(from: number | undefined, to: number | undefined): Promise<void> {
    const former = from === undefined || from === to ? undefined : this.#visits.get(from)
    former?.watchOnly('replaced')
    if (former) this.#track(this.decide(former))
    const next = to === undefined ? undefined : await this.load(to)
    if (next instanceof LiveVisit) await this.decide(next)
  }

  /** Frees the controller of a visit that was to fall free by an instant; false when it was kept, or held none. */
  freeUnseen(visit: VisitRef, by: number): Promise<boolean> {
    return this.#endings.freeController(visit, new Date(by))
  }

  /** When a visit's control is released, if that is near enough to warn. */
  releaseAtOf(releaseAt: Date | null): number | undefined {
    return nearRelease(releaseAt, this.#deps.now())
  }

  /** When a visit ends if nothing happens; 0 while its bar is on a screen. Epoch milliseconds. */
  idleAtOf(visit: { visitId: number; userId: number; activeAt: number }): number {
    if (this.#deps.attendance.isAttended(visit.userId, visit.visitId)) return 0
    return Math.max(visit.activeAt, this.#visits.get(visit.visitId)?.activeAt ?? 0) + timing.visitIdleMs
  }

  /** Does everything due by now, whatever the timers did. */
  async checkClocks(now: number): Promise<void> {
    for (const visit of this.list()) if (visit.isDecided) await this.#clock.check(visit, now)
  }

  /** Tries again to write the ends that could not be written. */
  saveEnds(): Promise<void> {
    return this.#endings.retry()
  }

  async #load(visitId: number): Promise<LiveVisit | EndedVisit | undefined> {
    const { decisions, logger, now } = this.#deps
    const row = await findVisit(decisions.db, visitId, new Date(now()))
    if (!row) return undefined
    if (row.ended_at) {
      const ended = row.end_reason as contract.VisitEndReason
      return this.#remember(visitId, { ended, lang: row.lang as 'cn' | 'en' })
    }
    const visit = new LiveVisit(row, {
      logger,
      now,
      decide: (own, isLast) => this.#decider.decide(own, isLast),
      onCut: () => {
        this.cutStreams++
      },
      rights: this.#deps.rights,
    })
    // Registered before the decision: a change of rights meanwhile must find it.
    this.#visits.set(visitId, visit)
    await this.settle(visit, now())
    return this.find(visitId)
  }

  #followRights({ sessionId, userId, machineId, projectId }: RightChange): void {
    if (projectId !== null) this.#followProject(projectId)
    else if (sessionId === null) this.follow(userId, machineId)
    else
      for (const visit of this.list())
        if (visit.sessionId === sessionId) this.#track(this.end(visit, 'signedOut'))
  }

  #attend(userId: number, visitId: number, isAttended: boolean): void {
    const { db, events, now } = this.#deps
    const visit = this.#visits.get(visitId)
    if (visit?.userId !== userId) return
    visit.markActive(now())
    this.#clock.arm(visit)
    // A bar that appears on a screen has no earlier requests yet.
    if (isAttended && visit.mode === 'rw')
      this.#track(
        listControlRequests(db, visit.machineId).then((asking) => {
          for (const id of asking) events.enqueueVisit(id)
        }),
      )
  }

  /** Another process may have seen a sign of life: the database decides. */
  async #endIdle(visit: LiveVisit): Promise<void> {
    const { visitId, machineId, userId, activeAt, idleAt } = visit
    const counts = visit.takeCounts()
    const ending = { visitId, machineId, userId, reason: 'idle', endedBy: null, at: idleAt } as const
    const ended = await this.#endings
      .try({ ...ending, idleBefore: new Date(activeAt), ...(counts ? { counts } : {}) })
      .catch((error) => {
        if (counts) visit.giveBack(counts)
        throw error
      })
    if (ended) this.#forget(visit, 'idle')
    else await this.decide(visit)
  }

  #forget(visit: LiveVisit, reason: contract.VisitEndReason): void {
    visit.finish(reason)
    this.endedCounts.set(reason, (this.endedCounts.get(reason) ?? 0) + 1)
    this.#visits.delete(visit.visitId)
    this.#remember(visit.visitId, { ended: visit.ended ?? reason, lang: visit.lang })
  }

  #remember(visitId: number, ended: EndedVisit): EndedVisit {
    this.#ended.set(visitId, ended)
    return ended
  }

  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error) => this.#deps.logger.warn({ err: error }, 'visit.followFailed'))
      .finally(() => this.#work.delete(tracked))
    this.#work.add(tracked)
  }
}
