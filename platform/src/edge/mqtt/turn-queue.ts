/** Time for which connections are read in one go before other work gets its turn, in ms. */
const stretchMs = 4

/** A worker that does a small part of its work in each turn. */
export interface TurnTaker {
  /** Does one turn's work; true when there is more to do. */
  takeTurn(): boolean
}

/**
 * Lets connections work in turn: each does a little once a turn of the event loop, behind those that came before it.
 * However much one of them sends, the others wait for one turn of it and not for all of it.
 */
export class TurnQueue {
  readonly #waiting = new Set<TurnTaker>()
  readonly #ticks: () => number
  #isScheduled = false

  /** `ticks` are milliseconds of a monotonic clock. */
  constructor(ticks: () => number) {
    this.#ticks = ticks
  }

  /** Gives a turn, behind those that wait already; one that waits keeps its place. */
  add(taker: TurnTaker): void {
    this.#waiting.add(taker)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#run())
  }

  #run(): void {
    this.#isScheduled = false
    const endsAt = this.#ticks() + stretchMs
    // Only those that wait at the start: a worker with more work gets its next turn after all others.
    let left = this.#waiting.size
    try {
      for (const taker of this.#waiting) {
        if (left-- === 0 || this.#ticks() > endsAt) break
        this.#waiting.delete(taker)
        if (taker.takeTurn()) this.#waiting.add(taker)
      }
    } finally {
      if (this.#waiting.size > 0) this.#schedule()
    }
  }
}
