import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { every } from '../../kernel/every.ts'
import type { Logger } from '../../kernel/logger.ts'
import { visitsStopMsMax } from '../../kernel/stop-budget.ts'
import type { Attendance } from './attendance.ts'
import type { ControlWatch } from './control-watch.ts'
import { removeExpiredControllers } from './controller-store.ts'
import { removeOldEmbeddingCodes } from './embedding-codes-store.ts'
import { LastRun } from './last-run.ts'
import type { LiveVisit } from './live-visit.ts'
import type { LiveVisits } from './live-visits.ts'
import { removeOldCodes } from './visit-cookies-store.ts'
import type { VisitEvents } from './visit-events.ts'
import { removeOldTickets } from './visit-tickets-store.ts'
import { listLiveVisits, updateVisitCounts } from './visits-store.ts'

const sweepMs = 5_000
/** The counts of visits are stored at this interval; a crash loses at most so much. */
const flushMs = 10_000
/** The bar on a screen keeps a visit open without requests; other processes learn of it at this interval. */
const attendedMs = 60_000
const looksAtOnce = 8
/** A cookie of an ended visit gets the reason for a day. */
const cookieMs = 86_400_000

export interface VisitsSweepDeps {
  readonly db: Kysely<DB>
  readonly logger: Logger
  readonly live: LiveVisits
  readonly control: Pick<ControlWatch, 'run'>
  readonly events: VisitEvents
  readonly attendance: Pick<Attendance, 'isAttended'>
  now(): number
}

/**
 * Looks every 5 s for changes without an event: sessions that ran out, visits that other processes opened or ended,
 * writes whose hold is over; and stores the counts of visits.
 */
export class VisitsSweep {
  readonly #deps: VisitsSweepDeps
  readonly #look = new LastRun(() => this.#lookAfterAll())
  #timer: NodeJS.Timeout | undefined
  #flushedAt = 0

  constructor(deps: VisitsSweepDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    this.#timer = every(sweepMs, () => this.run(), this.#deps.logger)
    await this.run()
  }

  /** Waits for running work and stores the counts. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#look.wait(visitsStopMsMax)
    await this.#try(() => this.#flush())
  }

  run(): Promise<void> {
    return this.#look.run()
  }

  /** One part that fails must not keep the others. */
  async #lookAfterAll(): Promise<void> {
    const { db, live, control, events } = this.#deps
    const at = this.#deps.now()
    await this.#try(() => live.checkClocks(at))
    await this.#try(() => live.saveEnds())
    await this.#try(async () => {
      for (const machineId of await removeExpiredControllers(db, new Date(at)))
        events.enqueueMachine(machineId)
    })
    await this.#try(() => this.#compare(at))
    await this.#try(() => control.run(at))
    if (at - this.#flushedAt < flushMs) return
    this.#flushedAt = at
    await this.#try(() => this.#flush())
    await this.#try(() => removeOldCodes(db, new Date(at), new Date(at - cookieMs)))
    await this.#try(() => removeOldEmbeddingCodes(db, new Date(at)))
    await this.#try(() => removeOldTickets(db, new Date(at)))
  }

  async #compare(at: number): Promise<void> {
    const { db, live } = this.#deps
    const known = live.list()
    const stored = await listLiveVisits(db, new Date(at))
    const isSignedIn = new Map(stored.map((row) => [row.id, row.is_signed_in]))
    const unclear = known.filter((visit) => !isSignedIn.get(visit.visitId) || !visit.isDecided)
    const looks: (() => Promise<unknown>)[] = [
      ...unclear.map((visit) => () => live.decide(visit)),
      ...stored.map(({ id }) => id).map((id) => () => live.load(id)),
    ]
    for (let from = 0; from < looks.length; from += looksAtOnce)
      await Promise.all(looks.slice(from, from + looksAtOnce).map((look) => look()))
  }

  async #flush(): Promise<void> {
    const at = this.#deps.now()
    const counted = this.#deps.live.list().flatMap((visit) => {
      if (this.#isAttended(visit) && at - visit.activeAt > attendedMs) visit.markActive(at)
      const counts = visit.takeCounts()
      return counts ? [{ visit, counts }] : []
    })
    try {
      await updateVisitCounts(
        this.#deps.db,
        counted.map(({ counts }) => counts),
      )
    } catch (error) {
      for (const { visit, counts } of counted) visit.giveBack(counts)
      throw error
    }
  }

  #isAttended(visit: LiveVisit): boolean {
    return this.#deps.attendance.isAttended(visit.userId, visit.visitId)
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'visits.sweepFailed')
    }
  }
}
