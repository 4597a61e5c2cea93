/** Times kept of one tag. */
const timesMax = 64

/**
 * Times of one tag at which its history has a sample, as far as memory knows them. Most tags send in the order of time
 * and need only the last two; the other tags get a longer memory.
 */
export class PastTimes {
  readonly #times = new Set<number>()

  add(time: number): void {
    this.#times.add(time)
    if (this.#times.size <= timesMax) return
    for (const oldest of this.#times) {
      this.#times.delete(oldest)
      return
    }
  }

  has(time: number): boolean {
    return this.#times.has(time)
  }
}
