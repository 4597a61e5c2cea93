import type { ProjectPlan } from '../projects/index.ts'
import type { LogPosition } from '../telemetry/index.ts'
import { Intervals, lateRows } from './intervals.ts'
import { type Reading, rowOf } from './row-gatherer.ts'
import type { NewRow } from './stream-row.ts'
import type { Link } from './wanted-tags.ts'

/** Between two rows intervals are stored as often, so that a process that takes over has little to read again. */
const storeMs = 30_000

/** The open intervals of a project as they are stored, with the positions up to which values are in them. */
export interface StoredOpen {
  readonly projectId: number
  readonly everyMs: number
  readonly closedUntil: number
  readonly positions: readonly LogPosition[]
  readonly bytes: Buffer
}

/** The changes of stored intervals. */
export interface OpenChanges {
  readonly stored: readonly Omit<StoredOpen, 'positions'>[]
  /** Projects that have none any more. */
  readonly removed: readonly number[]
}

interface OpenProject {
  readonly intervals: Intervals
  /** Intervals of it ended: they are stored with the rows of these, which are not to come again. */
  hasEnded: boolean
  /** By `performance.now()`. */
  storedAt: number
}

/** Turns readings into the rows of all projects, and has what is gathered of intervals that are not over. */
export class OpenProjects {
  readonly #projects = new Map<number, OpenProject>()
  /** Projects whose intervals are stored. */
  readonly #stored = new Set<number>()
  #rows = new Map<number, NewRow[]>()

  /** Takes other plans. */
  async plan(plans: readonly ProjectPlan[]): Promise<void> {
    const planned = new Map(plans.map((plan) => [plan.projectId, plan]))
    for (const projectId of this.#projects.keys())
      if (!planned.has(projectId)) this.#projects.delete(projectId)
    for (const { projectId, everyS, links } of plans) {
      const everyMs = everyS * 1_000
      const known = this.#projects.get(projectId)
      if (known) {
        const linkIds = new Set(links.map(({ linkId }) => linkId))
        known.intervals.keep((linkId) => linkIds.has(linkId))
        if (known.intervals.everyMs === everyMs) continue
        this.#push(projectId, await known.intervals.closeAll())
        this.#projects.delete(projectId)
      }
      if (everyMs > 0)
        this.#projects.set(projectId, {
          intervals: new Intervals(everyMs),
          hasEnded: false,
          storedAt: performance.now(),
        })
    }
  }

  /** Takes the readings of one commit. */
  take(readings: readonly Reading[]): void {
    const late: Reading[] = []
    for (const reading of readings) {
      const { projectId, everyMs } = reading.link
      if (everyMs === 0) this.#push(projectId, [rowOf(reading)])
      else if (reading.late) late.push(reading)
      else this.gather(reading)
    }
    for (const [projectId, ofProject] of Map.groupBy(late, ({ link }) => link.projectId))
      this.#push(projectId, lateRows(ofProject))
  }

  /** Takes a row that is ready. */
  tell(projectId: number, row: NewRow): void {
    this.#push(projectId, [row])
  }

  /** Takes a reading into the intervals of its project alone. */
  gather(reading: Reading): void {
    this.#projects.get(reading.link.projectId)?.intervals.add(reading)
  }

  /** Ends the intervals that are over; `at`: everything that arrived until then was taken. */
  async close(at: number): Promise<void> {
    for (const [projectId, project] of this.#projects) {
      const rows = await project.intervals.close(at)
      if (rows.length === 0) continue
      project.hasEnded = true
      this.#push(projectId, rows)
    }
  }

  /** Takes the rows that are ready. */
  takeRows(): ReadonlyMap<number, readonly NewRow[]> {
    const rows = this.#rows
    this.#rows = new Map()
    return rows
  }

  get hasRows(): boolean {
    return this.#rows.size > 0
  }

  /** Takes back the intervals of a project that were stored, if it still has some. */
  restore(stored: StoredOpen, linkOf: (linkId: number) => Link | undefined): void {
    this.#stored.add(stored.projectId)
    const intervals = new Intervals(stored.everyMs, stored.closedUntil)
    intervals.restore(stored.bytes, linkOf)
    this.#projects.set(stored.projectId, { intervals, hasEnded: false, storedAt: performance.now() })
  }

  /**
   * The intervals that have to be stored with the rows. Those of each project are, also while they are empty: what comes
   * into them then is read again from the positions that are stored with them.
   */
  async changes(): Promise<OpenChanges> {
    const now = performance.now()
    const due = [...this.#projects].filter(
      ([id, { hasEnded, storedAt }]) => hasEnded || !this.#stored.has(id) || now - storedAt >= storeMs,
    )
    const stored: Omit<StoredOpen, 'positions'>[] = []
    for (const [projectId, { intervals }] of due) {
      const { everyMs, closedUntil } = intervals
      stored.push({ projectId, everyMs, closedUntil, bytes: await intervals.encode() })
    }
    return {
      stored,
      removed: [...this.#stored].filter((id) => !this.#projects.has(id)),
    }
  }

  /** Notes that changes are stored. */
  didStore({ stored, removed }: OpenChanges): void {
    for (const projectId of removed) this.#stored.delete(projectId)
    for (const { projectId } of stored) {
      this.#stored.add(projectId)
      const project = this.#projects.get(projectId)
      if (project) Object.assign(project, { hasEnded: false, storedAt: performance.now() })
    }
  }

  #push(projectId: number, rows: readonly NewRow[]): void {
    if (rows.length === 0) return
    const known = this.#rows.get(projectId)
    if (known) for (const row of rows) known.push(row)
    else this.#rows.set(projectId, [...rows])
  }
}
