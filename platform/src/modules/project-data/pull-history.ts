import { type projectData as contract, projectLimits } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { LoadGate } from '../../kernel/http/load-gate.ts'
import { historyRowId, type NewRow, readHistory } from '../project-stream/index.ts'
import type { Links, ProjectPlan, Quota } from '../projects/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import type { HistoryCursor, HistoryCursors } from './history-cursor.ts'
import type { PullScope } from './pull-cursor.ts'
import { pageBytesMax } from './pull-service.ts'
import { findOwner, isReporting } from './pulls-store.ts'

interface Deps {
  readonly db: Database
  readonly telemetry: Pick<Telemetry, 'readSamples'>
  readonly links: Pick<Links, 'isActive' | 'isTrusted' | 'listPlans' | 'catchUp'>
  readonly quota: Quota
  readonly cursors: HistoryCursors
  now(): number
}

/** A pull of a span of history: the first of it, or the next by a cursor. */
export interface HistoryPull extends PullScope {
  readonly cursor: string | undefined
  readonly from: number | undefined
  readonly to: number | undefined
  readonly limit: number
  readonly signal: AbortSignal
}

interface HistoryPage {
  readonly rows: contract.ProjectRow[]
  /** Empty at the end of the span. */
  readonly cursor: string
}

const spanMsMax = projectLimits.historyDays * 86_400_000
/** Pulls of this process that read history at a time: one of each person's projects. */
const readingMax = 2
/** Reads of one call; a page of machines that told little ends earlier. */
const readsMax = 100
const retryS = 1

/**
 * Answers the rows that a span of history gives, machine by machine, each in the order of time (rules/projects.md: pull).
 */
export class PullHistory {
  readonly #deps: Deps
  readonly #gate = new LoadGate(readingMax)

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Whether a call is about history: it names a span, or has a cursor of one. */
  isMeant(pull: HistoryPull): boolean {
    const { cursor, from, to } = pull
    if (cursor !== undefined) return this.#deps.cursors.parse(pull, cursor) !== undefined
    return from !== undefined || to !== undefined
  }

  async pull(pull: HistoryPull): Promise<HistoryPage> {
    const { db } = this.#deps
    const place = this.#place(pull)
    if (!(await isReporting(db, pull.projectId))) throw new Failure('PROJECT_NOT_REPORTING')
    const ownerId = await findOwner(db, pull.projectId)
    return this.#gate.run(ownerId, () => this.#pull(pull, place), pull.signal)
  }

  #place(pull: HistoryPull): HistoryCursor {
    const given = pull.cursor === undefined ? undefined : this.#deps.cursors.parse(pull, pull.cursor)
    if (given) return given
    const now = this.#deps.now()
    const { from = Number.NaN, to = now } = pull
    if (!(from < to && to <= now && to - from <= spanMsMax)) throw new Failure('HISTORY_SPAN')
    return { linkId: 0, at: from, from, to }
  }

  async #pull(pull: HistoryPull, place: HistoryCursor): Promise<HistoryPage> {
    const { db, links, quota } = this.#deps
    const { projectId } = pull
    await links.catchUp()
    const left = (await quota.listLeft(db, [projectId])).get(projectId) ?? 0
    if (left === 0) throw new Failure('QUOTA_OVER')
    const read = await this.#read({ ...pull, limit: Math.min(pull.limit, left) }, place)
    if (!links.isTrusted()) throw new Failure('503', { data: { retryIn: retryS } })
    const rows = read.rows.filter(({ linkId }) => linkId !== null && links.isActive(linkId))
    // Counted before they go out: a span can be asked for again at any time, so no later call proves that it came.
    const isCounted = await withTransaction(db, async (trx) => {
      return rows.length === 0 || (await quota.take(trx, projectId, rows.length)) === rows.length
    })
    if (!isCounted) throw new Failure('QUOTA_OVER')
    const cursor = read.next ? this.#deps.cursors.format(pull, read.next) : ''
    return {
      cursor,
      rows: rows.map((row) => JSON.parse(`{"id":"${historyRowId(projectId, row)}",${row.text}`)),
    }
  }

  /** The rows after a place, and the next place; undefined at the end. */
  async #read(
    pull: HistoryPull,
    place: HistoryCursor,
  ): Promise<{ readonly rows: readonly NewRow[]; readonly next: HistoryCursor | undefined }> {
    const plan = this.#deps.links.listPlans().find(({ projectId }) => projectId === pull.projectId)
    const rows: NewRow[] = []
    let bytes = 0
    let reads = 0
    for (const link of plan ? linksOf(plan, pull) : []) {
      if (!plan || link.linkId < place.linkId) continue
      const { linkId } = link
      const span = { from: linkId === place.linkId ? place.at : place.from, to: place.to }
      for await (const window of readHistory(this.#deps, plan, link, span, pull.signal)) {
        for (const row of window.rows) {
          if (rows.length === pull.limit || bytes >= pageBytesMax)
            return { rows, next: { ...place, linkId, at: Math.max(place.from, beginOf(row, plan)) } }
          rows.push(row)
          bytes += row.text.length
        }
        // An interval that needs more reads is read to its end: the next call would begin with it again.
        if (++reads >= readsMax && window.to > span.from)
          return { rows, next: { ...place, linkId, at: window.to } }
      }
    }
    return { rows, next: undefined }
  }
}

const linksOf = ({ links }: ProjectPlan, { machineCode }: PullScope) =>
  links
    .filter((link) => machineCode === '' || link.machineCode === machineCode)
    .sort((a, b) => a.linkId - b.linkId)

/** Where a row begins to be read: at its own time, or at its interval's. */
const beginOf = ({ time }: NewRow, { everyS }: ProjectPlan): number =>
  everyS === 0 ? time : time - (time % (everyS * 1_000))
