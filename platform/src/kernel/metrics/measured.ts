import { every } from '../every.ts'
import type { Logger } from '../logger.ts'

const measureMs = 15_000

/**
 * A figure that is read from the database from time to time, because metrics are asked for more often. Every process reads
 * for itself: a clock job would leave the others with old figures.
 */
export class Measured<T> {
  value: T
  readonly #read: () => Promise<T>
  readonly #logger: Logger
  #timer: NodeJS.Timeout | undefined

  constructor(first: T, read: () => Promise<T>, logger: Logger) {
    this.value = first
    this.#read = read
    this.#logger = logger
  }

  start(): void {
    void this.measure()
    this.#timer = every(measureMs, () => this.measure(), this.#logger)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Reads it now, as it does by itself every 15 s. A failure is logged, and the former value stays. */
  async measure(): Promise<void> {
    try {
      this.value = await this.#read()
    } catch (error) {
      this.#logger.warn({ err: error }, 'figures.readFailed')
    }
  }
}
