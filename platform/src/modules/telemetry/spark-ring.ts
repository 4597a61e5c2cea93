import { clockSkewMsMax } from './judge-sample.ts'

/** A sparkline is the last hour in 24 buckets (rules/telemetry.md: key value). */
export const sparkBuckets = 24
export const sparkBucketMs = 150_000

/** The last hour of one tag: a mean for each bucket of 150 s, aligned to the epoch. */
export class SparkRing {
  readonly #sums = new Float64Array(sparkBuckets)
  readonly #counts = new Uint32Array(sparkBuckets)
  /** The newest bucket seen, as its number since the epoch. */
  #newest = 0

  /** Folds a committed sample in; samples older than the hour are left out. */
  add(at: number, value: number, count = 1): void {
    const bucket = Math.floor(at / sparkBucketMs)
    if (bucket > this.#newest) this.#advance(bucket)
    if (bucket <= this.#newest - sparkBuckets) return
    const index = bucket % sparkBuckets
    this.#sums[index] = (this.#sums[index] ?? 0) + value * count
    this.#counts[index] = (this.#counts[index] ?? 0) + count
  }

  /** The hour that ends now, oldest first; null where nothing came. */
  read(now: number): (number | null)[] {
    const last = Math.floor(now / sparkBucketMs)
    return Array.from({ length: sparkBuckets }, (_, place) => {
      const mean = this.#meanOf(last - sparkBuckets + 1 + place)
      return Number.isNaN(mean) ? null : mean
    })
  }

  /** Copies the means of the buckets that have ended to `target`, NaN where nothing came. */
  copyEnded(now: number, target: Float64Array, at: number): void {
    const last = Math.floor(now / sparkBucketMs)
    for (let place = 0; place < sparkBuckets - 1; place++)
      target[at + place] = this.#meanOf(last - sparkBuckets + 1 + place)
  }

  #meanOf(bucket: number): number {
    if (bucket > this.#newest || bucket <= this.#newest - sparkBuckets) return Number.NaN
    const index = bucket % sparkBuckets
    const count = this.#counts[index] ?? 0
    return count === 0 ? Number.NaN : (this.#sums[index] ?? 0) / count
  }

  /** Whether it was given times that have not come yet, which leave no room for those that do. */
  isAheadOf(now: number): boolean {
    return this.#newest * sparkBucketMs > now + clockSkewMsMax
  }

  #advance(bucket: number): void {
    const first = Math.max(this.#newest + 1, bucket - sparkBuckets + 1)
    for (let passed = first; passed <= bucket; passed++) {
      this.#sums[passed % sparkBuckets] = 0
      this.#counts[passed % sparkBuckets] = 0
    }
    this.#newest = bucket
  }
}
