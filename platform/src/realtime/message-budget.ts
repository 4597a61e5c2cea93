/** Messages of all sockets of one person: all tabs of a browser may come back at once. */
const messagesPerSecondMax = 2_000
const secondMs = 1_000

/** Counts messages of each person by the second. */
export class MessageBudget {
  readonly #counts = new Map<number, number>()
  #second = 0

  /** Milliseconds this person must wait before the next message is read; 0: none. */
  take(userId: number): number {
    const now = performance.now()
    const second = Math.floor(now / secondMs)
    if (second !== this.#second) this.#counts.clear()
    this.#second = second
    const count = (this.#counts.get(userId) ?? 0) + 1
    this.#counts.set(userId, count)
    return count < messagesPerSecondMax ? 0 : (second + 1) * secondMs - now
  }
}
