import type { Sample } from '../tag.ts'

/** Samples in order, in memory. Taking from the front is cheap however long the line is. */
export class SampleFifo {
  #samples: Sample[] = []
  #head = 0

  get length(): number {
    return this.#samples.length - this.#head
  }

  push(samples: readonly Sample[]): void {
    for (const sample of samples) this.#samples.push(sample)
  }

  /** At most `count` samples from the front. */
  take(count: number): Sample[] {
    const taken = this.#samples.slice(this.#head, this.#head + count)
    this.#head += taken.length
    // The consumed front is let go once it is the larger part, so each sample moves at most once on average.
    if (this.#head > 1_000 && this.#head * 2 > this.#samples.length) {
      this.#samples = this.#samples.slice(this.#head)
      this.#head = 0
    }
    return taken
  }
}
