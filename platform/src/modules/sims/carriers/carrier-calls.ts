import { setTimeout as wait } from 'node:timers/promises'
import type { RateCounters } from '../../../kernel/http/rate-counters.ts'
import { ProviderFailed } from '../../../kernel/outgoing-http/ask-json.ts'
import type { CarrierLimits } from './carrier.ts'

/** A call that would wait longer is not made. */
const usualWaitMsMax = 60_000
/** After a carrier says that it is asked too often, nobody asks it for so long. */
const restMs = 30_000
const secondMs = 1_000

interface Options {
  /** The same in all processes. */
  readonly key: string
  readonly limits: CarrierLimits
  readonly counters: RateCounters
  readonly now: () => number
  readonly waitMsMax?: number
  /** For tests: rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>
}

/**
 * Runs the calls of one account within the limits of its carrier. So many begin in a second in all processes together; how
 * many run at once is kept by each process, and the nightly refresh is in one.
 */
export class CarrierCalls {
  readonly #options: Required<Options>
  readonly #waiting: (() => void)[] = []
  #running = 0
  /** When the next call may begin, epoch milliseconds. */
  #nextAt = 0

  constructor(options: Options) {
    this.#options = {
      ...options,
      waitMsMax: options.waitMsMax ?? usualWaitMsMax,
      sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, signal && { signal })),
    }
  }

  /**
   * Runs one call when its turn comes; calls begin in the order in which they were asked for.
   * @throws ProviderFailed of the call, or `busy` where its turn does not come in time; the reason of the signal
   */
  async run<Answer>(call: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted()
    const until = this.#options.now() + this.#options.waitMsMax
    await this.#enter(signal)
    try {
      await this.#waitForTurn(until, signal)
      return await this.#watch(call)
    } finally {
      this.#leave()
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    if (this.#running < this.#options.limits.callsAtOnceMax) {
      this.#running++
      return
    }
    const { promise: turn, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    const entered = new AbortController()
    try {
      await Promise.race([turn, this.#giveUp(entered.signal, signal)])
    } catch (error) {
      const at = this.#waiting.indexOf(resolve)
      if (at >= 0) this.#waiting.splice(at, 1)
      else this.#leave()
      throw error
    } finally {
      entered.abort()
    }
  }

  async #giveUp(entered: AbortSignal, signal: AbortSignal | undefined): Promise<never> {
    await this.#sleep(this.#options.waitMsMax, signal ? AbortSignal.any([entered, signal]) : entered)
    throw tooLong()
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running--
  }

  async #waitForTurn(until: number, signal: AbortSignal | undefined): Promise<void> {
    const { counters, key, limits, now } = this.#options
    const max = limits.callsPerSecondMax
    const counter = { group: 'carrierCalls', key, max, windowMs: secondMs, isShared: true }
    for (;;) {
      const at = now()
      if (at >= this.#nextAt) {
        // Evenly spread, so that another process finds room in the same second.
        this.#nextAt = at + secondMs / max
        const refused = await counters.take([counter], at)
        if (!refused) return
        this.#nextAt = Math.max(this.#nextAt, at + refused.retryIn * secondMs)
      }
      if (this.#nextAt > until) throw tooLong()
      await this.#sleep(this.#nextAt - now(), signal)
    }
  }

  async #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await this.#options.sleep(Math.max(0, ms), signal).catch((error) => {
      signal?.throwIfAborted()
      throw error
    })
  }

  async #watch<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    try {
      return await call()
    } catch (error) {
      if (error instanceof ProviderFailed && error.reason === 'busy')
        this.#nextAt = Math.max(this.#nextAt, this.#options.now() + restMs)
      throw error
    }
  }
}

const tooLong = () => new ProviderFailed('busy', 'the account has no time for one more call')
