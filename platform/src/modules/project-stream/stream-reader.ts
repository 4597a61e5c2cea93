import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import { Slices } from '../../kernel/slices.ts'
import type { Links, ProjectPlan } from '../projects/index.ts'
import {
  advance,
  decodeOrLog,
  type FedRow,
  type LogName,
  type LogPosition,
  type LogRow,
  type LogSpan,
  listLogEnds,
  listReportedLosses,
  listTagsOfMachines,
  listTagsWithIds,
  readFeed,
  readLog,
} from '../telemetry/index.ts'
import { OpenProjects } from './open-projects.ts'
import { ReaderReplaced, type ReaderStore } from './reader-store.ts'
import { type Reading, RowGatherer } from './row-gatherer.ts'
import { gapRow } from './stream-row.ts'
import { appendChunks, encodeRows, type ProjectStreams } from './stream-store.ts'
import { WantedTags } from './wanted-tags.ts'

const pollMs = 50
/** Another process has the place: it is asked for as often. */
const placeMs = 2_000
const failedMs = 1_000
/** Positions are stored as often where no project got anything. */
const saveMs = 1_000
/** Losses that machines report are looked for as often; one is stored at most so long after it was reported. */
const lostMs = 5_000
const lostLateMs = 120_000
/** Samples of projects that one transaction takes, so that neither it nor the memory grows. */
const samplesPerTurn = 200_000

interface StreamReaderOptions {
  readonly db: Database
  readonly samplesDb: Database
  readonly store: ReaderStore
  readonly streams: ProjectStreams
  readonly links: Pick<Links, 'listPlans' | 'subscribe' | 'catchUp'>
  readonly logger: Logger
  readonly now: () => number
}

/** The state of the process that has the reader's place. */
interface Place {
  turn: number
  positions: readonly LogPosition[]
  readonly open: OpenProjects
  /** The plans that `open` has. */
  plans: readonly ProjectPlan[]
  /** When the positions were stored, by `performance.now()`. */
  savedAt: number
  /** Losses that were reported until then are told. */
  lostUntil: Date
  /** Those that were told last: one may be stored a while after its report. */
  lostTold: Set<string>
  /** By `performance.now()`. */
  lostReadAt: number
}

/**
 * Reads the logs of samples of all processes once for all projects, and appends what projects get to their streams. One
 * process at a time has the place; it stores rows and positions in one transaction, so that after any crash each sample is
 * in a stream once. While no project reports it asks the database nothing.
 */
export class StreamReader {
  readonly #options: StreamReaderOptions
  readonly #log: LogOnce
  readonly #store: ReaderStore
  readonly #wanted = new WantedTags()
  readonly #stopped = new AbortController()
  #plans: readonly ProjectPlan[] = []
  #arePlansNew = true
  #place: Place | undefined
  #running: Promise<void> | undefined
  #wake: (() => void) | undefined
  #endPlans: (() => void) | undefined
  rows = 0
  /** Age of the last row of the logs when it was taken. */
  lagMs = 0
  /** Rows of the logs that the last read found. */
  waiting = 0

  constructor(options: StreamReaderOptions) {
    this.#options = options
    this.#log = createLogOnce(options.logger)
    this.#store = options.store
  }

  start(): void {
    this.#endPlans = this.#options.links.subscribe(() => this.replan())
    this.#running = this.#run()
  }

  /** The plans are others now. */
  replan(): void {
    this.#arePlansNew = true
    this.#wake?.()
  }

  async stop(): Promise<void> {
    this.#endPlans?.()
    this.#stopped.abort()
    this.#wake?.()
    await this.#running
    if (this.#place) await this.#leave(true).catch(() => undefined)
    this.#log.stop()
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        await this.#pause(await this.step())
      } catch (err) {
        if (err instanceof ReaderReplaced) continue
        this.#log.warn({ err }, 'projectStream.readFailed')
        // Not a pause: plans that could not be taken would end it at once.
        await sleep(failedMs, undefined, { ref: false, signal: this.#stopped.signal }).catch(() => undefined)
      }
    }
  }

  /** Does what there is to do. Answers how long it can wait then, in milliseconds; undefined: until plans change. */
  async step(): Promise<number | undefined> {
    try {
      await this.#takePlans()
      if (this.#plans.length === 0) return undefined
      if (!this.#place) await this.#enter()
      if (!this.#place) return placeMs
      return (await this.#read(this.#place)) ? 0 : pollMs
    } catch (error) {
      // Memory may be ahead of the database.
      this.#place = undefined
      throw error
    }
  }

  async #takePlans(): Promise<void> {
    if (!this.#arePlansNew) return
    this.#arePlansNew = false
    try {
      this.#plans = this.#options.links.listPlans()
      const machineIds = this.#wanted.plan(this.#plans)
      this.#wanted.load(machineIds, await listTagsOfMachines(this.#options.db, machineIds))
      if (this.#plans.length === 0) await this.#leave(false)
    } catch (error) {
      this.#arePlansNew = true
      throw error
    }
  }

  /** Takes the reader's place, if no other process has it. */
  async #enter(): Promise<void> {
    const { samplesDb, now } = this.#options
    const found = await this.#store.take()
    if (!found) return
    const { turn, isReading, lostUntil } = found
    const positions = await (isReading ? this.#store.listPositions() : listLogEnds(samplesDb))
    const open = new OpenProjects()
    const place: Place = {
      ...{ turn, positions, open, plans: this.#plans, savedAt: performance.now() },
      lostUntil: (isReading && lostUntil) || new Date(now()),
      lostTold: new Set(),
      lostReadAt: Number.NEGATIVE_INFINITY,
    }
    if (isReading) await this.#gatherAgain(place)
    else await this.#store.removeOpen()
    await open.plan(place.plans)
    if (!isReading) await this.#save(place, positions)
    this.#place = place
  }

  /** Brings the open intervals to where the positions are: they are stored less often. */
  async #gatherAgain(place: Place): Promise<void> {
    const stored = await this.#store.listOpen()
    const { links } = this.#wanted
    for (const each of stored) place.open.restore(each, (linkId) => links.get(linkId))
    const gathered = new Map(stored.map(({ projectId, positions }) => [projectId, positions]))
    const unread = spansBetween(
      stored.map(({ positions }) => positions),
      place.positions,
    )
    for (const span of unread)
      for await (const row of readLog(this.#options.samplesDb, span)) {
        if (!isRead(place.positions, row)) continue
        for (const reading of await this.#decode(row)) {
          const before = gathered.get(reading.link.projectId)
          if (before && !reading.late && !isRead(before, row)) place.open.gather(reading)
        }
        if (performance.now() - place.savedAt >= saveMs) await this.#renew(place)
      }
  }

  async #leave(isReading: boolean): Promise<void> {
    this.#place = undefined
    await this.#store.leave({ isReading })
  }

  /** Appends what is new; answers whether there is more. */
  async #read(place: Place): Promise<boolean> {
    const { samplesDb, links, now } = this.#options
    const feed = await readFeed(samplesDb, place.positions)
    this.waiting = feed.rows.length
    if (feed.rows.length > 0) {
      // Values that were committed after a call about projects are taken by the plans after that call.
      await links.catchUp()
      await this.#takePlans()
      if (this.#place !== place) return false
    }
    const taken: FedRow[] = []
    const { open } = place
    if (place.plans !== this.#plans) {
      place.plans = this.#plans
      await open.plan(place.plans)
    }
    const slices = new Slices()
    let samples = 0
    for (const row of feed.rows) {
      if (samples > samplesPerTurn) break
      const readings = await this.#decode(row)
      for (const { values } of readings) samples += values.length
      open.take(readings)
      taken.push(row)
      await slices.next()
    }
    const last = taken.at(-1)?.committedAt.getTime()
    if (last !== undefined) this.lagMs = Math.max(0, now() - last)
    const isMore = feed.isMore || taken.length < feed.rows.length
    const closedAt = isMore ? last : now()
    if (closedAt !== undefined) await open.close(closedAt)
    if (performance.now() - place.lostReadAt >= lostMs) await this.#takeLosses(place)
    const positions = advance(place.positions, feed, taken)
    if (open.hasRows || performance.now() - place.savedAt >= saveMs) await this.#save(place, positions)
    place.positions = positions
    return isMore
  }

  /** Tells the spans that machines had to drop; one may come twice after the place went to another process. */
  async #takeLosses(place: Place): Promise<void> {
    const { db, now } = this.#options
    const until = new Date(now())
    const links = Map.groupBy(this.#wanted.links.values(), ({ machineId }) => machineId)
    const after = new Date(place.lostUntil.getTime() - lostLateMs)
    const told = new Set<string>()
    for (const { machineId, from, to } of await listReportedLosses(db, [...links.keys()], after, until)) {
      const key = `${machineId} ${from} ${to}`
      told.add(key)
      if (place.lostTold.has(key)) continue
      for (const link of links.get(machineId) ?? []) place.open.tell(link.projectId, gapRow(from, to, link))
    }
    place.lostTold = told
    place.lostUntil = until
    place.lostReadAt = performance.now()
  }

  /** The readings of a row of the log, once it is known of all its variables whether a project gets them. */
  async #decode(row: LogRow): Promise<readonly Reading[]> {
    const gatherer = new RowGatherer(this.#wanted)
    decodeOrLog(row, gatherer, this.#options.logger)
    if (gatherer.unknown.size === 0) return gatherer.readings
    const { unknown } = gatherer
    this.#wanted.meet(unknown, await listTagsWithIds(this.#options.db, [...unknown]))
    return this.#decode(row)
  }

  /** Stores rows, positions and intervals together: all are there after a crash, or none. */
  async #save(place: Place, positions: readonly LogPosition[]): Promise<void> {
    const { samplesDb, streams, now } = this.#options
    const rowsOf = place.open.takeRows()
    const changes = await place.open.changes()
    const chunks = await encodeRows(rowsOf)
    const { turn, moved } = await withTransaction(samplesDb, async (trx) => {
      const turn = await this.#store.next(trx, place.turn, place.lostUntil)
      await this.#store.savePositions(trx, positions)
      await this.#store.saveOpen(trx, changes, positions)
      return { turn, moved: await appendChunks(trx, chunks, now()) }
    })
    place.turn = turn
    place.savedAt = performance.now()
    place.open.didStore(changes)
    for (const rows of rowsOf.values()) this.rows += rows.length
    streams.tell(moved)
  }

  /** Keeps the place while nothing is stored. */
  async #renew(place: Place): Promise<void> {
    place.turn = await this.#store.next(this.#options.samplesDb, place.turn, place.lostUntil)
    place.savedAt = performance.now()
  }

  async #pause(ms: number | undefined): Promise<void> {
    if (this.#stopped.signal.aborted || this.#arePlansNew || ms === 0) return
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    await (ms === undefined ? woken : Promise.race([woken, sleep(ms, undefined, { ref: false })]))
    this.#wake = undefined
  }
}

const isOf = (log: LogName) => (other: LogName) =>
  other.nodeId === log.nodeId && other.incarnation === log.incarnation

/** Whether a row is before some positions. */
function isRead(positions: readonly LogPosition[], row: LogRow): boolean {
  const position = positions.find(isOf(row))
  return position !== undefined && row.seq <= position.seq && !position.missing.includes(row.seq)
}

/** The stretch of each log that lies between the earliest of some positions and the later ones. */
function spansBetween(
  earlier: readonly (readonly LogPosition[])[],
  later: readonly LogPosition[],
): LogSpan[] {
  if (earlier.length === 0) return []
  return later.map(({ nodeId, incarnation, seq: to }) => {
    const firsts = earlier.map((positions) => {
      const position = positions.find(isOf({ nodeId, incarnation }))
      return position ? Math.min(position.seq, ...position.missing.map((seq) => seq - 1)) : 0
    })
    return { nodeId, incarnation, from: Math.min(...firsts), to }
  })
}
