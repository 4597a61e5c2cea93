import { timing } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Logger } from '../../kernel/logger.ts'
import {
  type DueControl,
  listDueControls,
  postponeReleases,
  updateReleases,
} from './control-release-store.ts'
import type { LiveVisits } from './live-visits.ts'
import type { VisitEvents } from './visit-events.ts'

/** Interval at which the open pages of this process are stored, for other processes to read. */
const storeMs = 10_000
/** A process that did not look for longer was away, and the pages of its visits could not reach it. */
const awayMs = 30_000

export interface ControlWatchDeps {
  readonly db: Kysely<DB>
  readonly logger: Logger
  readonly live: LiveVisits
  readonly events: VisitEvents
}

/**
 * Frees the controller of a visit two minutes after its last page was closed, and notifies the visitor a minute before.
 * A page is open while a stream of it is, and at each of its requests. The instant is in the database: every process
 * moves it for the pages it serves, and any of them frees controllers that are due (rules/visits.md: release of
 * control).
 */
export class ControlWatch {
  readonly #deps: ControlWatchDeps
  #lookedAt = Number.NEGATIVE_INFINITY
  /** The release time that this process stored last for each visit. */
  #stored = new Map<number, number>()
  /** The release each visit was warned of. */
  #warned = new Map<number, number>()

  constructor(deps: ControlWatchDeps) {
    this.#deps = deps
  }

  /** Does the work that is due at an instant; called again within seconds. */
  async run(at: number): Promise<void> {
    const { db } = this.#deps
    // Pages that could not reach this process have the whole time to come back.
    if (at - this.#lookedAt > awayMs) await postponeReleases(db, new Date(at + timing.controlReleaseMs))
    const due = await listDueControls(db, new Date(at + timing.controlWarningMs))
    const seen = await this.#storeSeen(
      at,
      new Map(due.map((control) => [control.visitId, control.releaseAt])),
    )
    const warned = new Map<number, number>()
    for (const control of due) {
      const releaseAt = Math.max(control.releaseAt, seen.get(control.visitId) ?? 0)
      if (releaseAt <= at) await this.#release(control, at)
      else this.#tell({ ...control, releaseAt }, at, warned)
    }
    this.#warned = warned
    this.#lookedAt = at
  }

  /** Moves the release of visits that have a page open here; answers when each of them would be released. */
  async #storeSeen(at: number, due: ReadonlyMap<number, number>): Promise<Map<number, number>> {
    const seen = new Map<number, number>()
    for (const visit of this.#deps.live.list()) {
      const seenAt = visit.mode === 'rw' ? visit.pageSeenAt(at) : undefined
      if (seenAt !== undefined) seen.set(visit.visitId, seenAt + timing.controlReleaseMs)
    }
    const moved = [...seen].filter(
      ([visitId, releaseAt]) =>
        releaseAt - (this.#stored.get(visitId) ?? 0) >= storeMs ||
        releaseAt > (due.get(visitId) ?? Number.POSITIVE_INFINITY),
    )
    await updateReleases(
      this.#deps.db,
      moved.map(([visitId, releaseAt]) => ({ visitId, releaseAt })),
    )
    const stored = new Map([...this.#stored, ...moved])
    this.#stored = new Map([...stored].filter(([visitId]) => seen.has(visitId)))
    return seen
  }

  /** Warns once of each release, and reports when the release moved away. */
  #tell({ visitId, releaseAt }: DueControl, at: number, warned: Map<number, number>): void {
    const isNear = releaseAt - at <= timing.controlWarningMs
    if (isNear) warned.set(visitId, releaseAt)
    if (!isNear || this.#warned.get(visitId) !== releaseAt) this.#deps.events.enqueueVisit(visitId)
  }

  async #release(control: DueControl, at: number): Promise<void> {
    const { live, logger } = this.#deps
    if (!(await live.freeUnseen(control, at))) return
    logger.info({ visit: control.visitId, machine: control.machineId }, 'control.released')
  }
}
