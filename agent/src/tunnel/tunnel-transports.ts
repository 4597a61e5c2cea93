import { Backoff } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import type { TunnelTransport } from './line.ts'

/** After bare bytes did not pass they are tried again, rarer and rarer: a proxy is replaced, a platform updated. */
const retryFirstMs = 10 * 60_000
const retryMostMs = 24 * 3_600_000
/** A line of plain bytes that breaks sooner may have met a proxy that inspects it. */
const provenMs = 30_000

/** Remembers, while the agent runs, which transport the network lets through. */
export class TunnelTransports {
  readonly #clock: Clock
  readonly #retry = new Backoff(retryFirstMs, retryMostMs)
  #bytesFrom: number
  #openedAt: number | undefined

  /** `mayTryBytes` false: WebSockets only, for good. */
  constructor(mayTryBytes: boolean, clock: Clock) {
    this.#clock = clock
    this.#bytesFrom = mayTryBytes ? 0 : Number.POSITIVE_INFINITY
  }

  get next(): TunnelTransport {
    return this.bytesInMs <= 0 ? 'bytes' : 'webSocket'
  }

  /** Time until plain bytes are tried again. */
  get bytesInMs(): number {
    return this.#bytesFrom - this.#clock.monotonic()
  }

  /** Plain bytes did not come through. */
  blocked(): void {
    this.#bytesFrom = this.#clock.monotonic() + this.#retry.nextMs()
  }

  /** A line of plain bytes opened. */
  opened(): void {
    this.#openedAt = this.#clock.monotonic()
  }

  /** A line of plain bytes was lost, or could not reach the platform. */
  lost(): void {
    const openedAt = this.#openedAt
    this.#openedAt = undefined
    if (openedAt === undefined) return
    if (this.#clock.monotonic() - openedAt < provenMs) this.blocked()
    else this.#retry.reset()
  }
}
