/**
 * A backlog of hours arrives in thousands of messages, and so does a birth: pages are notified at most at this
 * interval.
 */
export const gatherMs = 2_000

interface Gathered<Update> {
  update: Update
  /** Runs while no update may be sent. */
  readonly timer: NodeJS.Timeout
  isDue: boolean
}

/**
 * Gathers updates of machines: the first at once, then all further ones together, at most every 2 s for each machine.
 * `tell` answers false if somebody could not be notified yet: then the same is repeated.
 */
export class MachineUpdates<Update extends { readonly machineId: number }> {
  readonly #tell: (update: Update) => boolean
  readonly #join: (before: Update, update: Update) => Update
  readonly #gathered = new Map<number, Gathered<Update>>()

  constructor(tell: (update: Update) => boolean, join: (before: Update, update: Update) => Update) {
    this.#tell = tell
    this.#join = join
  }

  add(update: Update): void {
    const gathered = this.#gathered.get(update.machineId)
    if (!gathered) {
      this.#told(update)
      return
    }
    gathered.update = gathered.isDue ? this.#join(gathered.update, update) : update
    gathered.isDue = true
  }

  close(): void {
    for (const { timer } of this.#gathered.values()) clearTimeout(timer)
    this.#gathered.clear()
  }

  #told(update: Update): void {
    const isDue = !this.#tell(update)
    const timer = setTimeout(() => this.#flush(update.machineId), gatherMs)
    this.#gathered.set(update.machineId, { update, timer, isDue })
  }

  #flush(machineId: number): void {
    const gathered = this.#gathered.get(machineId)
    this.#gathered.delete(machineId)
    if (gathered?.isDue) this.#told(gathered.update)
  }
}

/** The stretch that both changes of a machine's past cover. */
export const joinSpans = <Span extends { readonly from: number; readonly to: number }>(
  before: Span,
  span: Span,
): Span => ({ ...span, from: Math.min(before.from, span.from), to: Math.max(before.to, span.to) })
