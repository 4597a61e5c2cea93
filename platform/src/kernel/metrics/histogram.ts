/** In seconds: from a commit on a fast disk to times that no client waits for. */
const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/**
 * The contents of a histogram: how many observations were at most as large as each bound and larger than the one
 * before.
 */
export interface Distributed {
  /** Ascending. */
  readonly bounds: readonly number[]
  /** One for each bound, and one for observations above all. */
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
}

/** Counts observations by size. Observing allocates nothing. */
export class Histogram implements Distributed {
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum = 0
  count = 0

  constructor(bounds: readonly number[] = secondsBounds) {
    this.bounds = bounds
    this.counts = Array<number>(bounds.length + 1).fill(0)
  }

  observe(value: number): void {
    let place = 0
    while (place < this.bounds.length && value > (this.bounds[place] as number)) place++
    this.counts[place] = (this.counts[place] as number) + 1
    this.sum += value
    this.count++
  }
}
