import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import { Slices } from '../../kernel/slices.ts'
import {
  advance,
  decodeOrLog,
  type FedRow,
  type LogPosition,
  listLogEnds,
  listTagsOfMachines,
  listTagsWithIds,
  readFeed,
} from '../telemetry/index.ts'
import type { ProjectPlan, ProjectPlans } from './project-plans.ts'
import { ReaderReplaced, ReaderStore } from './reader-store.ts'
import { type Reading, RowGatherer, rowOf } from './row-gatherer.ts'
import type { NewRow } from './stream-row.ts'
import { appendRows, type ProjectStreams } from './stream-store.ts'
import { WantedTags } from './wanted-tags.ts'

const pollMs = 50
/** Another process has the place: it is asked for as often. */
const placeMs = 2_000
const failedMs = 1_000
/** Positions are stored as often where no project got anything. */
const saveMs = 1_000
/** Samples of projects that one transaction takes, so that neither it nor the memory grows. */
const samplesPerTurn = 200_000

interface StreamReaderOptions {
  readonly db: Database
  readonly samplesDb: Database
  readonly streams: ProjectStreams
  readonly plans: ProjectPlans
  /** Names this process. */
  readonly holder: string
  readonly logger: Logger
  readonly now: () => number
}

/** The state of the process that has the reader's place. */
interface Place {
  turn: number
  positions: readonly LogPosition[]
  /** When the positions were stored, by `performance.now()`. */
  savedAt: number
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

  constructor(options: StreamReaderOptions) {
    this.#options = options
    this.#log = createLogOnce(options.logger)
    this.#store = new ReaderStore(options.samplesDb, options.holder)
  }

  start(): void {
    this.#endPlans = this.#options.plans.subscribe(() => {
      this.#arePlansNew = true
      this.#wake?.()
    })
    this.#running = this.#run()
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
        this.#place = undefined
        if (err instanceof ReaderReplaced) continue
        this.#log.warn({ err }, 'projectStream.readFailed')
        await this.#pause(failedMs)
      }
    }
  }

  /** Does what there is to do. Answers how long it can wait then, in milliseconds; undefined: until plans change. */
  async step(): Promise<number | undefined> {
    await this.#takePlans()
    if (this.#plans.length === 0) return undefined
    if (!this.#place) await this.#enter()
    if (!this.#place) return placeMs
    return (await this.#read(this.#place)) ? 0 : pollMs
  }

  async #takePlans(): Promise<void> {
    if (!this.#arePlansNew) return
    this.#arePlansNew = false
    try {
      this.#plans = await this.#options.plans.list()
      const machineIds = this.#wanted.plan(this.#plans)
      this.#wanted.add(await listTagsOfMachines(this.#options.db, machineIds))
      if (this.#plans.length === 0) await this.#leave(false)
    } catch (error) {
      this.#arePlansNew = true
      throw error
    }
  }

  /** Takes the reader's place, if no other process has it. */
  async #enter(): Promise<void> {
    const found = await this.#store.take()
    if (!found) return
    const positions = await (found.isReading
      ? this.#store.listPositions()
      : listLogEnds(this.#options.samplesDb))
    const place = { turn: found.turn, positions, savedAt: Number.NEGATIVE_INFINITY }
    if (!found.isReading) await this.#save(place, place.positions, new Map())
    this.#place = place
  }

  async #leave(isReading: boolean): Promise<void> {
    this.#place = undefined
    await this.#store.leave({ isReading })
  }

  /** Appends what is new; answers whether there is more. */
  async #read(place: Place): Promise<boolean> {
    const { samplesDb } = this.#options
    const feed = await readFeed(samplesDb, place.positions)
    const taken: FedRow[] = []
    const rowsOf = new Map<number, NewRow[]>()
    const slices = new Slices()
    let samples = 0
    for (const row of feed.rows) {
      if (samples > samplesPerTurn) break
      for (const reading of await this.#decode(row)) {
        samples += reading.values.length
        const rows = rowsOf.get(reading.link.projectId) ?? []
        rowsOf.set(reading.link.projectId, rows)
        rows.push(rowOf(reading))
      }
      taken.push(row)
      await slices.next()
    }
    const last = taken.at(-1)
    if (last) this.lagMs = Math.max(0, this.#options.now() - last.committedAt.getTime())
    const positions = advance(place.positions, feed, taken)
    if (rowsOf.size > 0 || performance.now() - place.savedAt >= saveMs)
      await this.#save(place, positions, rowsOf)
    place.positions = positions
    return feed.isMore || taken.length < feed.rows.length
  }

  /** The readings of a row of the log, once it is known of all its variables whether a project gets them. */
  async #decode(row: FedRow): Promise<readonly Reading[]> {
    const gatherer = new RowGatherer(this.#wanted)
    decodeOrLog(row, gatherer, this.#options.logger)
    if (gatherer.unknown.size === 0) return gatherer.readings
    const asked = [...gatherer.unknown]
    this.#wanted.add(await listTagsWithIds(this.#options.db, asked), asked)
    return this.#decode(row)
  }

  /** Stores rows and positions together: both are there after a crash, or neither. */
  async #save(
    place: Place,
    positions: readonly LogPosition[],
    rowsOf: ReadonlyMap<number, readonly NewRow[]>,
  ): Promise<void> {
    const { samplesDb, streams, now } = this.#options
    const { turn, moved } = await withTransaction(samplesDb, async (trx) => {
      const turn = await this.#store.next(trx, place.turn)
      await this.#store.savePositions(trx, positions)
      return { turn, moved: await appendRows(trx, rowsOf, now()) }
    })
    place.turn = turn
    place.savedAt = performance.now()
    for (const rows of rowsOf.values()) this.rows += rows.length
    streams.tell(moved)
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
