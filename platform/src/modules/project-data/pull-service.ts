import type { projectData as contract } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { JsonText } from '../../kernel/http/json-text.ts'
import type { ProjectStreams, StreamHead, StreamRow } from '../project-stream/index.ts'
import { rowJson } from '../project-stream/index.ts'
import type { Links, ProjectKeys, Quota } from '../projects/index.ts'
import type { PullCursor, PullCursors, PullScope } from './pull-cursor.ts'
import { isReporting, noteGiven, takeGiven } from './pulls-store.ts'
import type { RowWaiter } from './row-waiter.ts'

export interface PullDeps {
  readonly db: Database
  readonly streams: Pick<ProjectStreams, 'heads' | 'read'>
  readonly links: Pick<Links, 'isActive' | 'stateOf' | 'isTrusted' | 'catchUp'>
  readonly quota: Quota
  readonly keys: Pick<ProjectKeys, 'endOf'>
  readonly cursors: PullCursors
  readonly waiter: RowWaiter
  now(): number
}

export interface Pull extends PullScope {
  /** The key that it signed in with. */
  readonly keyId: number
  readonly cursor: string | undefined
  readonly limit: number
  readonly waitMs: number
  readonly signal: AbortSignal
}

/** Rows that go out, and the number of the last that was looked at. */
interface ReadRows {
  readonly rows: readonly StreamRow[]
  readonly no: number
}

interface Page {
  readonly rows: contract.ProjectRow[]
  readonly cursor: string
}

/** Rows of a page, as they are stored; a page of long rows ends earlier. */
export const pageBytesMax = 16 * 1024 * 1024
/** Rows that are looked through for a page of one machine, or past those that may not go out. */
const passedMax = 100_000
const blindRetryS = 1

/**
 * Answers the rows after a cursor (rules/projects.md: pull). A page counts at the next one: with its cursor the
 * caller has it, and without it the caller would read for nothing.
 */
export class PullService {
  readonly #deps: PullDeps

  constructor(deps: PullDeps) {
    this.#deps = deps
  }

  async pull(pull: Pull): Promise<JsonText<Page>> {
    const { db, cursors } = this.#deps
    const { projectId } = pull
    if (!(await isReporting(db, projectId))) throw new Failure('PROJECT_NOT_REPORTING')
    const given = pull.cursor === undefined ? undefined : cursors.parse(pull, pull.cursor)
    if (pull.cursor !== undefined && !given) throw new Failure('CURSOR_WRONG')
    let head = await this.#head(projectId)
    const from = this.#place(pull, given, head)
    await this.#countLast(projectId)
    const left = (await this.#deps.quota.listLeft(db, [projectId])).get(projectId) ?? 0
    if (left === 0) throw new Failure('QUOTA_OVER')
    const page = await this.#await(pull, from, Math.min(pull.limit, left))
    // The stream may have begun since.
    if (page.no > 0) head ??= await this.#head(projectId)
    const epoch = head?.epoch ?? ''
    const counted = page.rows.flatMap(({ kind, no }) => (kind === 'row' ? no : []))
    if (counted.length > 0) await noteGiven(db, pull, epoch, counted)
    const cursor = cursors.format(pull, { epoch, no: page.no })
    const texts = page.rows.map(rowJson)
    return new JsonText(`{"rows":[${texts.join(',')}],"cursor":${JSON.stringify(cursor)}}`)
  }

  /** The next rows, which it waits for as long as the caller wants. */
  async #await(pull: Pull, from: number, limit: number): Promise<ReadRows> {
    if (pull.waitMs === 0) return this.#read(pull, from, limit)
    const endsAt = performance.now() + pull.waitMs
    // Before the first read, so that no row comes between.
    const waiting = this.#deps.waiter.listen(pull.projectId, pull.signal)
    if (!waiting) throw new Failure('429', { data: { retryIn: 1 } })
    try {
      for (let page = await this.#read(pull, from, limit); ; page = await this.#read(pull, page.no, limit)) {
        const leftMs = endsAt - performance.now()
        if (page.rows.length > 0 || leftMs <= 0) return page
        await waiting.next(leftMs)
        pull.signal.throwIfAborted()
        if ((await this.#deps.keys.endOf(pull.keyId)) <= this.#deps.now())
          throw new Failure('PROJECT_KEY_WRONG')
      }
    } finally {
      waiting.end()
    }
  }

  async #head(projectId: number): Promise<StreamHead | undefined> {
    return (await this.#deps.streams.heads([projectId])).get(projectId)
  }

  /** The row after which a page begins. Throws for a cursor whose next rows are not kept any more. */
  #place(scope: PullScope, given: PullCursor | undefined, head: StreamHead | undefined): number {
    const oldest = (head?.firstNo ?? 1) - 1
    if (!given) return oldest
    // A cursor of an empty stream goes on with its first row, whichever epoch that has.
    const isOfStream = given.epoch === (head?.epoch ?? '') || (given.epoch === '' && given.no === 0)
    if (!isOfStream || given.no < oldest) throw this.#tooOld(scope, head)
    return given.no
  }

  #tooOld(scope: PullScope, head: StreamHead | undefined): Failure {
    const oldest = { epoch: head?.epoch ?? '', no: (head?.firstNo ?? 1) - 1 }
    return new Failure('CURSOR_TOO_OLD', { data: { cursor: this.#deps.cursors.format(scope, oldest) } })
  }

  /** Counts the pages that a project got last, also those of machines that are pulled apart. */
  async #countLast(projectId: number): Promise<void> {
    const { db, quota } = this.#deps
    await withTransaction(db, async (trx) => {
      const rows = await takeGiven(trx, projectId)
      if (rows > 0) await quota.take(trx, projectId, rows)
    })
  }

  /** At most `limit` rows after a number that may go out now. */
  async #read(pull: Pull, after: number, limit: number): Promise<ReadRows> {
    const { streams, links } = this.#deps
    const rows: StreamRow[] = []
    let no = after
    let bytes = 0
    while (rows.length < limit && bytes < pageBytesMax && no - after < passedMax) {
      const read = await streams.read(pull.projectId, no, {
        maxRows: limit - rows.length,
        maxBytes: pageBytesMax - bytes,
      })
      const [first] = read
      if (!first) break
      // Removed since the head was read.
      if (first.no > no + 1) throw this.#tooOld(pull, await this.#head(pull.projectId))
      // A link of a moment ago may not be known here yet, and rows whose right is not known are not passed over.
      if (read.some(({ linkId }) => linkId !== null && !links.isActive(linkId))) await links.catchUp()
      if (!links.isTrusted()) throw new Failure('503', { data: { retryIn: blindRetryS } })
      for (const row of read) {
        // Its project is paused: the row waits, and those behind it.
        if (row.linkId !== null && links.stateOf(row.linkId) === 'paused') return { rows, no }
        no = row.no
        bytes += row.text.length
        if (this.#goesOut(pull, row)) rows.push(row)
      }
    }
    return { rows, no }
  }

  #goesOut({ machineCode }: Pull, { kind, linkId, text }: StreamRow): boolean {
    if (kind === 'event' || (linkId !== null && !this.#deps.links.isActive(linkId))) return false
    return machineCode === '' || linkId === null || text.startsWith(`"machineCode":"${machineCode}"`)
  }
}
