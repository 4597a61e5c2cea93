import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../logger.ts'

/** What was queued in a transaction is looked for this soon after, and this often besides. */
const lookSoonMs = 50
const lookMs = 1_000
/** A provider that does not answer must not hold a stop up: what it was handed is tried again after the next start. */
const stopMsMax = 5_000

/** Looks for messages of one kind: a provider that is away keeps those of the other kind waiting for nothing. */
export class Lane {
  readonly #sendDue: () => Promise<void>
  readonly #logger: Logger
  #timer: NodeJS.Timeout | undefined
  #dueAt = Number.POSITIVE_INFINITY
  #running: Promise<void> | undefined
  #isStopped = true

  constructor(sendDue: () => Promise<void>, logger: Logger) {
    this.#sendDue = sendDue
    this.#logger = logger
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  start(): void {
    this.#isStopped = false
    this.#lookIn(0)
  }

  /** A running look would find what was just queued too early or not at all: the next one is a second away at most. */
  lookSoon(): void {
    if (!this.#running) this.#lookIn(lookSoonMs)
  }

  /** Waits for what is being sent, for seconds at most. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    if (this.#running) await Promise.race([this.#running, sleep(stopMsMax, undefined, { ref: false })])
  }

  #lookIn(ms: number): void {
    const dueAt = performance.now() + ms
    if (this.#isStopped || this.#dueAt <= dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => this.#look(), ms)
  }

  #look(): void {
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#running = this.#sendDue()
      .catch((error) => this.#logger.warn({ err: error }, 'messages could not be looked after'))
      .finally(() => {
        this.#running = undefined
        this.#lookIn(lookMs)
      })
  }
}
