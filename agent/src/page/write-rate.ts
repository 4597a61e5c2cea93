import type { Clock } from '../clock.ts'
import { pageLimits } from './page-limits.ts'

interface Bucket {
  left: number
  atMs: number
}

/** Limits writes per writer: a burst, then a fixed rate per second. */
export class WriteRate {
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes one write; false if the writer has to wait. */
  take(writer: string): boolean {
    const nowMs = this.#clock.monotonic()
    for (const [name, bucket] of this.#buckets) {
      if (this.#left(bucket, nowMs) >= pageLimits.writesBurstMax) this.#buckets.delete(name)
    }
    const bucket = this.#buckets.get(writer)
    const left = bucket === undefined ? pageLimits.writesBurstMax : this.#left(bucket, nowMs)
    if (left < 1) return false
    this.#buckets.set(writer, { left: left - 1, atMs: nowMs })
    return true
  }

  #left({ left, atMs }: Bucket, nowMs: number): number {
    return Math.min(
      pageLimits.writesBurstMax,
      left + ((nowMs - atMs) / 1_000) * pageLimits.writesPerSecondMax,
    )
  }
}
