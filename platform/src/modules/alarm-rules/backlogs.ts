/** Samples that were received from an instant on and may not be in the stored states of rules. */
export interface Backlog {
  readonly from: number
  /** Others may need it until then although this node evaluated it. */
  readonly keptUntil: number
}

/**
 * The samples that a node has yet to evaluate, or to write the states of: its position stays before the first of these.
 * A backlog that ended is over with the next writing of all states that begins after it.
 */
export class Backlogs {
  readonly #open = new Set<Backlog>()
  readonly #ended = new Set<Backlog>()

  /** The first instant of all; Infinity without any. */
  get from(): number {
    let first = Number.POSITIVE_INFINITY
    for (const backlogs of [this.#open, this.#ended])
      for (const { from } of backlogs) first = Math.min(first, from)
    return first
  }

  open(from: number, keptUntil = Number.NEGATIVE_INFINITY): Backlog {
    const backlog = { from, keptUntil }
    this.#open.add(backlog)
    return backlog
  }

  /** Everything of it is evaluated. */
  end(backlog: Backlog): void {
    if (this.#open.delete(backlog)) this.#ended.add(backlog)
  }

  /** Those that a writing of all states that begins now completes. */
  listEnded(now: number): Backlog[] {
    return [...this.#ended].filter(({ keptUntil }) => keptUntil <= now)
  }

  remove(backlogs: readonly Backlog[]): void {
    for (const backlog of backlogs) this.#ended.delete(backlog)
  }
}
