import { setTimeout } from 'node:timers/promises'
import type { Logger } from '../logger.ts'

const retryMs = 500
/** Thousands may change at once: they are published in few transactions. */
const idsPerTurnMax = 500
/** After a turn of this size it rests, so that values can be stored meanwhile. */
const crowdMin = 20
/** The rest, as a multiple of the turn's duration. */
const restFactor = 3
/** The lower limit of the rest: a turn of many costs the database little more than one of few. */
const restMsMin = 400
/** The upper limit of the rest. */
const restMsMax = 500

/**
 * Things whose changed state has to be published. Changes of one thing during a write are published once, with the
 * newest state; a failed one is tried again.
 */
export class PublishQueue {
  readonly #publish: (ids: readonly number[]) => Promise<void>
  readonly #logger: Logger
  readonly #waiting = new Set<number>()
  #writing: Promise<void> | undefined
  #stopped = false

  constructor(options: { logger: Logger; publish: (ids: readonly number[]) => Promise<void> }) {
    this.#publish = options.publish
    this.#logger = options.logger
  }

  /** Number of things that are not published yet. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Those of one call are published together. */
  enqueue(...ids: readonly number[]): void {
    if (this.#stopped) return
    for (const id of ids) this.#waiting.add(id)
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined
      const [next] = this.#waiting
      if (next !== undefined) this.enqueue(next)
    })
  }

  /** Takes no more and waits for the running writes. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#waiting.clear()
    await this.#writing
  }

  async #drain(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#stopped) {
      const ids = [...this.#waiting].slice(0, idsPerTurnMax)
      for (const id of ids) this.#waiting.delete(id)
      const startedAt = performance.now()
      try {
        await this.#publish(ids)
        if (ids.length >= crowdMin) {
          const tookMs = performance.now() - startedAt
          await setTimeout(Math.min(Math.max(tookMs * restFactor, restMsMin), restMsMax))
        }
      } catch (error) {
        this.#logger.warn({ err: error, count: ids.length }, 'machineStates.pushFailed')
        for (const id of ids) this.#waiting.add(id)
        await setTimeout(retryMs)
      }
    }
  }
}
