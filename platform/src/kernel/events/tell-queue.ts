import { setTimeout } from 'node:timers/promises'
import type { Logger } from '../logger.ts'

const retryMs = 500
/** Thousands may change at once: they are told in few transactions. */
const idsPerTurnMax = 500
/** After a turn with so many it rests: thousands are not told at the expense of the values that are stored meanwhile. */
const crowdMin = 20
/** It rests for so many times as long as the turn took, */
const restFactor = 3
/** and at least so long, because a turn of many costs the database little more than one of few, */
const restMsMin = 400
/** and no longer than this. */
const restMsMax = 500

/**
 * Things whose state is to be told. Changes of one thing that come while the last ones are written are told once, as
 * it is then; what could not be told is tried again.
 */
export class TellQueue {
  readonly #tell: (ids: readonly number[]) => Promise<void>
  readonly #logger: Logger
  readonly #waiting = new Set<number>()
  #writing: Promise<void> | undefined
  #stopped = false

  constructor(options: { logger: Logger; tell: (ids: readonly number[]) => Promise<void> }) {
    this.#tell = options.tell
    this.#logger = options.logger
  }

  /** Things not told yet. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Those of one call are told together. */
  enqueue(...ids: readonly number[]): void {
    if (this.#stopped) return
    for (const id of ids) this.#waiting.add(id)
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined
      const [next] = this.#waiting
      if (next !== undefined) this.enqueue(next)
    })
  }

  /** Takes nothing more and waits for what is being written. */
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
        await this.#tell(ids)
        if (ids.length >= crowdMin) {
          const tookMs = performance.now() - startedAt
          await setTimeout(Math.min(Math.max(tookMs * restFactor, restMsMin), restMsMax))
        }
      } catch (error) {
        this.#logger.warn({ err: error, count: ids.length }, 'machineStates.tellFailed')
        for (const id of ids) this.#waiting.add(id)
        await setTimeout(retryMs)
      }
    }
  }
}
