/** The platform accepts times this far ahead; samples further ahead it has stored with their time of arrival. */
const believedAheadMs = 5 * 60_000

/**
 * Live times that run forward. The newest value of a tag moves only forward: after a small step back of the
 * wall clock it would stand still until the clock has caught up. Instead, live times continue from the last
 * one at half the speed until then. A larger step is followed immediately.
 */
export class ForwardTimes {
  #lastAt = -Infinity
  #lastGivenAt = -Infinity

  /** The time to give a live sample taken at `at`; calls come in the order the samples were taken in. */
  next(at: number): number {
    const aheadMs = this.#lastGivenAt - at
    if (aheadMs < 0 || aheadMs > believedAheadMs) this.#lastGivenAt = at
    else if (at < this.#lastAt) this.#lastGivenAt++
    else if (at > this.#lastAt) this.#lastGivenAt += Math.max(1, Math.floor((at - this.#lastAt) / 2))
    this.#lastAt = at
    return this.#lastGivenAt
  }
}
