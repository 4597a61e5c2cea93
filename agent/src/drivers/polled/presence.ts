import { Backoff } from '../../backoff.ts'
import type { Log } from '../../log.ts'

const reconnectFirstMs = 1_000
const reconnectMostMs = 30_000

/** Whether a controller answers: its lines in the log, and the growing pauses between tries while it is away. */
export class Presence {
  readonly #about: { driver: string; connection: string }
  readonly #log: Log
  readonly #backoff = new Backoff(reconnectFirstMs, reconnectMostMs)
  #awayReason: string | null = null

  constructor(driver: string, connection: string, log: Log) {
    this.#about = { driver, connection }
    this.#log = log
  }

  get isAway(): boolean {
    return this.#awayReason !== null
  }

  away(reason: string): void {
    // Another reason is news: the cable is in again, and now the slot is wrong.
    if (reason !== this.#awayReason) this.#log('warn', 'controller.away', { ...this.#about, reason })
    this.#awayReason = reason
  }

  /** The pause before the next try. */
  nextPauseMs(): number {
    return this.#backoff.nextMs()
  }

  back(): void {
    if (this.isAway) this.#log('info', 'controller.back', this.#about)
    this.#awayReason = null
    this.#backoff.reset()
  }
}
