import { ApiError } from '@busbar/contract'

/** The number of heavy calls of one person that the platform runs at the same time. */
const runningMax = 2
const triesMax = 5
const retryMs = { usual: 2_000, max: 30_000 } as const

/**
 * Runs at most two heavy calls at a time and retries those that the platform rejects for lack of capacity: a
 * page with ten charts must not show eight failures.
 */
export class LoadQueue {
  readonly #waiting: (() => void)[] = []
  #running = 0

  async run<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries++) {
      await this.#enter(signal)
      let waitMs: number | undefined
      try {
        return await call()
      } catch (error) {
        waitMs = tries < triesMax ? retryMsOf(error) : undefined
        if (waitMs === undefined) throw error
      } finally {
        this.#leave()
      }
      await pause(waitMs, signal)
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#running < runningMax) {
      this.#running++
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = () => {
      const place = this.#waiting.indexOf(resolve)
      if (place === -1) return
      this.#waiting.splice(place, 1)
      reject(signal?.reason)
    }
    this.#waiting.push(resolve)
    signal?.addEventListener('abort', abort, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', abort))
  }

  /** The slot goes to the next waiting call, or becomes free. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running--
  }
}

/** The wait that the platform asks for; undefined for a failure that a wait does not cure. */
export function retryMsOf(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.code !== '429') return undefined
  const { retryIn } = (error.data ?? {}) as { retryIn?: unknown }
  return typeof retryIn === 'number' ? Math.min(retryIn * 1_000, retryMs.max) : retryMs.usual
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const abort = () => {
    clearTimeout(timer)
    reject(signal?.reason)
  }
  const timer = setTimeout(() => {
    signal?.removeEventListener('abort', abort)
    resolve()
  }, ms)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  return promise
}
