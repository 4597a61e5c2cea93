/** A point as it is stored. */
export interface HistoryRow {
  readonly tagId: number
  /** Epoch milliseconds. */
  readonly at: number
  /** A switch is 0 or 1. */
  readonly value: number | bigint | string | null
  readonly low: number | null
  readonly high: number | null
  /** As it is stored; of a bucket: bad without a value, uncertain where one of its values is. */
  readonly quality: number
}

/** A bucket's point, with the number of its samples, and of those among them that have a value. */
export interface BucketRow extends HistoryRow {
  readonly samples: number
  readonly counted: number
}
