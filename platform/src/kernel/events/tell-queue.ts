import { setTimeout } from 'node:timers/promises'
import type { Logger } from '../logger.ts'

const retryMs = 500
/** After a full turn it rests for as long as that took, at most so long. */
const restMsMax = 100
/** Thousands may change at once: they are told in few transactions. */
const idsPerTurnMax = 500

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

  enqueue(id: number): void {
    if (this.#stopped) return
    this.#waiting.add(id)
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
        // Thousands of states are not told at the expense of the values that are stored meanwhile.
        if (ids.length === idsPerTurnMax) await setTimeout(Math.min(performance.now() - startedAt, restMsMax))
      } catch (error) {
        this.#logger.warn({ err: error, count: ids.length }, 'machineStates.tellFailed')
        for (const id of ids) this.#waiting.add(id)
        await setTimeout(retryMs)
      }
    }
  }
}
