import type { Database } from '../../kernel/database/database.ts'
import type { Logger } from '../../kernel/logger.ts'
import { updateClocks } from '../../modules/machine-register/index.ts'

const flushMs = 5_000
/** A change smaller than this is the way the message took. */
const jumpMs = 1_000
/** A clock that goes as it went is written again after this time. */
const rewriteMs = 10 * 60_000
/** Weight of one message's offset in the smoothed one. */
const smoothing = 1 / 8
/** The largest plausible offset: the columns hold milliseconds of a lifetime. */
const offsetMsMax = 100 * 366 * 24 * 3_600_000

/** A machine's clock offset from the platform's (positive: ahead), and the time of the measurement. */
export interface ClockReading {
  readonly offsetMs: number
  readonly at: number
}

/** One machine's clock as its live messages show it: smoothed, and following a jump once two messages agree on it. */
export class MachineClock implements ClockReading {
  readonly machineId: number
  offsetMs = 0
  /** 0: not seen yet. */
  at = 0
  #jumpedTo = Number.NaN
  #writtenMs = Number.NaN
  #writtenAt = Number.NEGATIVE_INFINITY
  readonly #markDue: (clock: MachineClock) => void

  constructor(machineId: number, markDue: (clock: MachineClock) => void) {
    this.machineId = machineId
    this.#markDue = markDue
  }

  /** A message that carries the machine's time came at `now`. */
  see(clockAt: number, now: number): void {
    const seenMs = clockAt - now
    if (!(Math.abs(seenMs) <= offsetMsMax)) return
    if (this.at === 0) this.offsetMs = seenMs
    else if (Math.abs(seenMs - this.offsetMs) <= jumpMs) {
      this.offsetMs += (seenMs - this.offsetMs) * smoothing
    } else if (Math.abs(seenMs - this.#jumpedTo) <= jumpMs) this.offsetMs = seenMs
    else {
      this.#jumpedTo = seenMs
      return
    }
    this.at = now
    const isMoved = !(Math.abs(this.offsetMs - this.#writtenMs) <= jumpMs)
    if (isMoved || now - this.#writtenAt >= rewriteMs) this.#markDue(this)
  }

  written({ offsetMs, at }: ClockReading): void {
    this.#writtenMs = offsetMs
    this.#writtenAt = at
  }
}

/** The clocks of the machines that sent something since the start, written now and then for the time after it. */
export class MachineClocks {
  readonly #db: Database
  readonly #logger: Logger
  readonly #clocks = new Map<number, MachineClock>()
  #due = new Set<MachineClock>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Database, logger: Logger) {
    this.#db = db
    this.#logger = logger
  }

  /** The clock of a machine, to be shown its messages' times. */
  of(machineId: number): MachineClock {
    let clock = this.#clocks.get(machineId)
    if (!clock) {
      clock = new MachineClock(machineId, (due) => this.#markDue(due))
      this.#clocks.set(machineId, clock)
    }
    return clock
  }

  /** Undefined when this process has not seen it. */
  get(machineId: number): ClockReading | undefined {
    const clock = this.#clocks.get(machineId)
    return clock && clock.at > 0 ? clock : undefined
  }

  /** Lets a machine's clock go; it is learnt anew from its next connection. */
  forget(machineId: number): void {
    const clock = this.#clocks.get(machineId)
    if (!clock) return
    this.#clocks.delete(machineId)
    this.#due.delete(clock)
  }

  /** Writes the due rows; resolves when they are written, or could not be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  #markDue(clock: MachineClock): void {
    this.#due.add(clock)
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
  }

  async #write(): Promise<void> {
    const readings = Array.from(this.#due, (clock) => ({ clock, offsetMs: clock.offsetMs, at: clock.at }))
    this.#due = new Set()
    if (readings.length === 0) return
    try {
      const clocks = readings.map(({ clock: { machineId }, offsetMs, at }) => ({ machineId, offsetMs, at }))
      const ids = await updateClocks(this.#db, clocks)
      for (const reading of readings) if (ids.has(reading.clock.machineId)) reading.clock.written(reading)
    } catch (error) {
      this.#logger.warn({ err: error, machines: readings.length }, 'machineClocks.writeFailed')
    }
  }
}
