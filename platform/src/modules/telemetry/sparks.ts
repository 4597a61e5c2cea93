import type { Database } from '../../kernel/database/database.ts'
import { listSparkBuckets } from './history-store.ts'
import { SparkRing, sparkBucketMs, sparkBuckets } from './spark-ring.ts'
import type { SampleReads } from './store/sample-reads.ts'

const ringsMax = 100_000
/** The oldest ring to answer while other processes take samples in, in ms. */
const sharedAgeMsMax = 30_000
/** The samples of a bucket are committed at most this time after its end. */
const commitMsMax = 10_000

/**
 * Sparklines of the tags that are on a screen: read from the samples, then folded from committed ones. If other
 * processes take samples in, they are read anew when they are old.
 */
export class Sparks {
  readonly #sources: { readonly db: Database; readonly reads: SampleReads }
  readonly #now: () => number
  readonly #attach: (tagId: number, ring: SparkRing | undefined) => void
  readonly #isShared: boolean
  readonly #rings = new Map<number, SparkRing>()
  /** When each ring was filled; without entries where this process takes all samples in. */
  readonly #filledAt = new Map<number, number>()
  readonly #filling = new Map<number, Promise<void>>()

  constructor(options: {
    db: Database
    reads: SampleReads
    now: () => number
    /** Hands a tag that is in memory its ring. */
    attach: (tagId: number, ring: SparkRing | undefined) => void
    /** Whether other processes take samples in that do not reach these rings. */
    isShared?: boolean | undefined
  }) {
    this.#sources = options
    this.#now = options.now
    this.#attach = options.attach
    this.#isShared = options.isShared ?? false
  }

  ringOf(tagId: number): SparkRing | undefined {
    return this.#rings.get(tagId)
  }

  /**
   * The answer of `list` without reading samples and without the running buckets: 23 numbers for each tag, NaN for
   * null. Undefined if samples had to be read.
   */
  peek(tagIds: readonly number[]): Float64Array | undefined {
    const now = this.#now()
    const means = new Float64Array(tagIds.length * (sparkBuckets - 1))
    for (const [place, tagId] of tagIds.entries()) {
      const ring = this.#rings.get(tagId)
      if (!ring || ring.isAheadOf(now) || this.#filling.has(tagId) || this.#missesEnded(tagId, now))
        return undefined
      ring.copyEnded(now, means, place * (sparkBuckets - 1))
    }
    return means
  }

  async list(tagIds: readonly number[]): Promise<Map<number, (number | null)[]>> {
    const askedAt = this.#now()
    const missing = tagIds.filter(
      (tagId) => (this.#rings.get(tagId)?.isAheadOf(askedAt) ?? true) || this.#isOld(tagId, askedAt),
    )
    if (missing.length > 0) {
      const filling = this.#fill(missing).finally(() => {
        for (const tagId of missing) this.#filling.delete(tagId)
      })
      for (const tagId of missing) this.#filling.set(tagId, filling)
    }
    // Another caller may be filling some of them.
    await Promise.all(new Set(tagIds.flatMap((tagId) => this.#filling.get(tagId) ?? [])))
    const now = this.#now()
    return new Map(
      tagIds.flatMap((tagId) => {
        const ring = this.#rings.get(tagId)
        return ring ? [[tagId, ring.read(now)]] : []
      }),
    )
  }

  async #fill(tagIds: readonly number[]): Promise<void> {
    const now = this.#now()
    // Attached before the samples are read, so that none is missed; one counted twice moves a mean by nothing to see.
    for (const tagId of tagIds) {
      const ring = new SparkRing()
      this.#rings.set(tagId, ring)
      this.#attach(tagId, ring)
      if (this.#isShared) this.#filledAt.set(tagId, now)
    }
    this.#forgetOldest()
    try {
      for (const row of await listSparkBuckets(
        this.#sources,
        tagIds,
        now - sparkBuckets * sparkBucketMs,
        now,
      )) {
        this.#rings.get(row.tagId)?.add(row.at, row.mean, row.count)
      }
    } catch (error) {
      for (const tagId of tagIds) this.#remove(tagId)
      throw error
    }
  }

  #forgetOldest(): void {
    for (const tagId of this.#rings.keys()) {
      if (this.#rings.size <= ringsMax) return
      this.#remove(tagId)
    }
  }

  #isOld(tagId: number, now: number): boolean {
    const filledAt = this.#filledAt.get(tagId)
    return filledAt !== undefined && now - filledAt > sharedAgeMsMax
  }

  /** Whether a bucket ended since the ring was filled. */
  #missesEnded(tagId: number, now: number): boolean {
    const bucketOf = (at: number) => Math.floor((at - commitMsMax) / sparkBucketMs)
    const filledAt = this.#filledAt.get(tagId)
    return filledAt !== undefined && bucketOf(filledAt) !== bucketOf(now)
  }

  #remove(tagId: number): void {
    this.#rings.delete(tagId)
    this.#filledAt.delete(tagId)
    this.#attach(tagId, undefined)
  }
}
