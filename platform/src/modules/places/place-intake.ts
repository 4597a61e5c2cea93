import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { every } from '../../kernel/every.ts'
import type { Logger } from '../../kernel/logger.ts'
import { takeToldPlace } from '../machine-register/index.ts'
import type { PlaceChanges } from './place-changes.ts'
import { readGps } from './read-gps.ts'

/** The least time between two positions of a machine (rules/places.md: automatic places). */
const restMs = 10_000
const lookEveryMs = 1_000
/** A machine whose news could not be applied is left for as long, so that the others go on. */
const failedMs = 60_000

/** Cells and networks that a machine hears; nothing of them has been checked. */
export interface ToldSignals {
  readonly cells?: unknown
  readonly wifi?: unknown
}

export interface PlaceIntakeDeps {
  readonly db: Database
  readonly bus: Bus
  readonly logger: Logger
  readonly changes: Pick<PlaceChanges, 'applyFix'>
  /** Gets what only a provider can locate, in the transaction that takes it. */
  readonly locateTold?: (trx: Transaction<DB>, machineId: number, signals: ToldSignals) => Promise<void>
  now(): number
}

/**
 * Takes what machines tell of their place, each in the transaction that applies it: a process that dies in between loses
 * none. Every process looks, one gets it.
 */
export class PlaceIntake {
  readonly #deps: PlaceIntakeDeps
  /** When each machine is tried again whose news could not be applied. */
  readonly #failed = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined
  #unsubscribe: (() => void) | undefined
  #running: Promise<void> | undefined
  #isDue = false

  constructor(deps: PlaceIntakeDeps) {
    this.#deps = deps
  }

  start(): void {
    const { bus, logger } = this.#deps
    this.#timer = every(lookEveryMs, () => this.run(), logger)
    this.#unsubscribe = bus.subscribe('toldPlaces', () => void this.run().catch(() => undefined))
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#unsubscribe?.()
    this.#isDue = false
    await this.#running?.catch(() => undefined)
  }

  /** Takes all that is due; what came meanwhile is taken as well. */
  run(): Promise<void> {
    this.#isDue = true
    this.#running ??= this.#takeAll().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #takeAll(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false
      while (await this.#takeOne());
    }
  }

  async #takeOne(): Promise<boolean> {
    const { db, changes, logger, locateTold } = this.#deps
    const now = this.#deps.now()
    for (const [machineId, until] of this.#failed) if (until <= now) this.#failed.delete(machineId)
    let machineId: number | undefined
    try {
      return await withTransaction(db, async (trx) => {
        const told = await takeToldPlace(trx, { now, restMs, except: [...this.#failed.keys()] })
        if (!told) return false
        machineId = told.machineId
        const { gps, cells, wifi, at } = told
        if (gps !== undefined) {
          const fix = readGps(gps, at.gps ?? now)
          if (fix) await changes.applyFix(trx, machineId, fix)
          else logger.info({ machineId }, 'place.unreadable')
        }
        const signals = { ...(cells !== undefined && { cells }), ...(wifi !== undefined && { wifi }) }
        if (!isDeepStrictEqual(signals, {})) await locateTold?.(trx, machineId, signals)
        return true
      })
    } catch (error) {
      if (machineId === undefined) throw error
      this.#failed.set(machineId, now + failedMs)
      logger.warn({ err: error, machineId }, 'place.notTaken')
      return true
    }
  }
}
