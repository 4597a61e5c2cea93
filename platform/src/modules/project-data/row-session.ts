import type { KeptFilter, ProjectLine, ProjectSession } from '../../edge-link/projects.ts'
import { projectTopic } from '../../edge-link/projects.ts'
import type { BusEvents } from '../../kernel/bus/bus.ts'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { Logger } from '../../kernel/logger.ts'
import { gapRow, type ProjectStreams, rowId, type StreamRow } from '../project-stream/index.ts'
import type { Links, Quota } from '../projects/index.ts'
import { rowMessage } from './row-message.ts'
import * as store from './sessions-store.ts'

export interface RowSessionDeps {
  readonly db: Database
  readonly streams: Pick<ProjectStreams, 'heads' | 'read'>
  readonly links: Pick<Links, 'isActive' | 'stateOf' | 'isTrusted' | 'catchUp'>
  readonly quota: Quota
  readonly logger: Logger
  runCommand(machineCode: string, payload: Buffer): Promise<void>
  now(): number
}

export interface BegunSession {
  readonly held: store.HeldSession
  readonly keyId: number
  /** It outlives its connection: its place is stored. */
  readonly isKept: boolean
  readonly isPresent: boolean
  readonly filters: readonly KeptFilter[]
  readonly place: store.Place
}

/** A row that was sent or passed over, in the order of the stream. */
interface Passed {
  readonly no: number
  isDone: boolean
}

const rowsAtOnce = 100
const bytesAtOnce = 256 * 1024
/** When a session that cannot go on now tries again. */
const roomMs = 100
const blindMs = 100
const quotaMs = 10_000
const failedMs = 1_000
/** How long a number of rows left is believed. */
const leftMs = 1_000
/** Places are stored at most this often: a process that dies sends again what was acknowledged since. */
const saveMs = 50

/**
 * Sends the rows of a project to one client, and keeps its place: the last row before the first that is not
 * acknowledged. At most as many rows are on their way as the client takes.
 */
export class RowSession implements ProjectSession {
  readonly isPresent: boolean
  readonly filters: readonly KeptFilter[]
  readonly keyId: number
  /** Resolves when the connection is over and its place is stored. */
  readonly ended: Promise<void>
  readonly #deps: RowSessionDeps
  readonly #held: store.HeldSession
  readonly #isKept: boolean
  readonly #tellEnded: () => void
  #line: ProjectLine | undefined
  #epoch: string | null
  /** The last row that was sent or passed over, and when. */
  #sentNo: number
  #sentAt: number
  /** Behind the place of the session. */
  readonly #passed: Passed[] = []
  #placeNo: number
  #storedNo: number
  /** Rows that the client has and that are not counted yet. */
  #uncounted = 0
  #left = { rows: 0, readAt: Number.NEGATIVE_INFINITY }
  #isWoken = false
  #isClosed = false
  #isTakenOver = false
  /** After a failure rows that come do not have it try sooner. */
  #isResting = false
  #sending: Promise<void> | undefined
  #saving: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #commands: Promise<void> = Promise.resolve()

  constructor(deps: RowSessionDeps, { held, keyId, isKept, isPresent, filters, place }: BegunSession) {
    this.#deps = deps
    this.#held = held
    this.keyId = keyId
    this.#isKept = isKept
    this.isPresent = isPresent
    this.filters = filters
    this.#epoch = place.epoch
    this.#sentNo = this.#placeNo = this.#storedNo = place.no
    this.#sentAt = place.at.getTime()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#tellEnded = resolve
  }

  start(line: ProjectLine): void {
    this.#line = line
    this.wake()
  }

  wake(): void {
    this.#isWoken = true
    if (!this.#line || this.#isClosed || this.#isResting) return
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
      // Woken after its last look.
      if (this.#isWoken && !this.#timer) this.wake()
    })
  }

  async keep(filters: readonly KeptFilter[]): Promise<void> {
    if (!this.#isKept) return
    if (!(await store.keepFilters(this.#deps.db, this.#held, filters))) this.#takenOver()
  }

  /** One command after the other, so that two writes to a variable end in their order. */
  command(machineCode: string, payload: Buffer): Promise<void> {
    this.#commands = this.#commands.then(() => this.#deps.runCommand(machineCode, payload))
    return this.#commands
  }

  tellResult(result: BusEvents['projectResults']['result']): void {
    this.#line?.tell(projectTopic.results(this.#held.projectId), Buffer.from(JSON.stringify(result)))
  }

  isOf(clientId: string): boolean {
    return clientId === this.#held.clientId
  }

  /** A connection has taken the session of a client id over. */
  heldBy(clientId: string, holder: string): void {
    if (this.isOf(clientId) && holder !== this.#held.holder) this.#takenOver()
  }

  /** Notes that the session is in use. */
  async stillKept(): Promise<void> {
    const { db, now } = this.#deps
    if (this.#isKept && !(await store.keepSession(db, this.#held, new Date(now())))) this.#takenOver()
  }

  end(why: Parameters<ProjectLine['end']>[0]): void {
    this.#line?.end(why)
  }

  close(isForgotten: boolean): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    const { db, logger, now } = this.#deps
    const { projectId } = this.#held
    const leave = async () => {
      await this.#sending
      await this.#save()
      if (!this.#isKept || this.#isTakenOver) return
      if (isForgotten) await store.forgetSession(db, this.#held)
      else await store.keepSession(db, this.#held, new Date(now()))
    }
    leave()
      .catch((error) => logger.warn({ err: error, projectId }, 'projectSession.storeFailed'))
      .finally(this.#tellEnded)
  }

  #takenOver(): void {
    this.#isTakenOver = true
    this.end('takenOver')
  }

  /** Sends rows until there are none, or the client takes no more. */
  async #send(): Promise<void> {
    try {
      while (this.#isWoken && !this.#isClosed) {
        this.#isWoken = false
        const waitMs = await this.#sendAll()
        if (waitMs !== undefined) return this.#later(waitMs)
      }
    } catch (error) {
      const { projectId } = this.#held
      this.#deps.logger.warn({ err: error, projectId }, 'projectRows.sendFailed')
      this.#isResting = true
      this.#later(failedMs)
    }
  }

  /** Answers when to try again, where rows may wait that cannot go now. */
  async #sendAll(): Promise<number | undefined> {
    const { streams, links } = this.#deps
    while (!this.#isClosed) {
      const room = Math.min(this.#line?.room ?? 0, rowsAtOnce)
      if (room <= 0) return roomMs
      const left = await this.#readLeft()
      if (left <= 0) return quotaMs
      const limits = { maxRows: Math.min(room, left), maxBytes: bytesAtOnce }
      const rows = await streams.read(this.#held.projectId, this.#sentNo, limits)
      const [first] = rows
      if (!first) return undefined
      this.#epoch ??= await this.#findEpoch()
      // A link of a moment ago may not be known here yet, and rows whose right is not known are not passed over.
      if (rows.some(({ linkId }) => linkId !== null && !links.isActive(linkId))) await links.catchUp()
      if (!links.isTrusted()) return blindMs
      // Rows of a project that is paused wait.
      if (rows.some(({ linkId }) => linkId !== null && links.stateOf(linkId) === 'paused')) return blindMs
      const gap = first.no > this.#sentNo + 1 ? [this.#gapBefore(first)] : []
      for (const row of [...gap, ...rows]) {
        // A row that a closed connection did not take is not passed over either.
        if (this.#isClosed) return undefined
        this.#pass(row)
      }
      this.#settle()
    }
    return undefined
  }

  async #findEpoch(): Promise<string | null> {
    const { projectId } = this.#held
    return (await this.#deps.streams.heads([projectId])).get(projectId)?.epoch ?? null
  }

  #later(ms: number): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#isResting = false
      this.wake()
    }, ms)
  }

  /** Rows that the quota has left, but for those on their way. */
  async #readLeft(): Promise<number> {
    const { db, quota } = this.#deps
    const { projectId } = this.#held
    if (performance.now() - this.#left.readAt > leftMs) {
      const rows = (await quota.listLeft(db, [projectId])).get(projectId) ?? 0
      this.#left = { rows: rows - this.#passed.length - this.#uncounted, readAt: performance.now() }
    }
    return this.#left.rows
  }

  /** The rows between the last one and this one are not kept any more. */
  #gapBefore({ no, time }: StreamRow): StreamRow {
    const id = rowId(this.#held.projectId, this.#epoch ?? '', no - 1)
    return { ...gapRow(this.#sentAt, time), no: no - 1, id }
  }

  #pass(row: StreamRow): void {
    const { projectId } = this.#held
    const passed: Passed = { no: row.no, isDone: false }
    this.#passed.push(passed)
    this.#sentNo = row.no
    this.#sentAt = this.#deps.now()
    const isCounted = row.kind === 'row'
    const acknowledged = () => {
      passed.isDone = true
      if (isCounted && this.#isKept) this.#uncounted++
      this.#settle()
    }
    const isSent = this.#goesOut(row) && this.#line?.send(rowMessage(projectId, row), acknowledged) === true
    if (!isSent) passed.isDone = true
    else if (isCounted) {
      this.#left.rows--
      if (!this.#isKept) this.#uncounted++
    }
  }

  #goesOut({ kind, linkId }: StreamRow): boolean {
    return kind !== 'event' && (linkId === null || this.#deps.links.isActive(linkId))
  }

  /** Moves the place past the rows that are done with. */
  #settle(): void {
    while (this.#passed[0]?.isDone) this.#placeNo = this.#passed.shift()?.no ?? this.#placeNo
    if (this.#isClosed) return
    void this.#save()
  }

  #save(): Promise<void> {
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined
    })
    return this.#saving
  }

  async #saveAll(): Promise<void> {
    const { db, quota, logger, now } = this.#deps
    const { projectId } = this.#held
    while (!this.#isTakenOver && (this.#uncounted > 0 || (this.#isKept && this.#placeNo > this.#storedNo))) {
      const [no, rows] = [this.#placeNo, this.#uncounted]
      let waitMs = saveMs
      try {
        const isHeld = await withTransaction(db, async (trx) => {
          const place = { epoch: this.#epoch, no, at: new Date(now()) }
          if (this.#isKept && !(await store.moveSession(trx, this.#held, place))) return false
          if (rows > 0) await quota.take(trx, projectId, rows)
          return true
        })
        if (!isHeld) return this.#takenOver()
        this.#storedNo = no
        this.#uncounted -= rows
      } catch (error) {
        logger.warn({ err: error, projectId }, 'projectSession.storeFailed')
        if (this.#isClosed) return
        waitMs = failedMs
      }
      if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}
