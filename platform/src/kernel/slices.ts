/** Long work occupies the event loop at most this long at a time. */
const sliceMsMax = 4

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Cuts long work into slices: others get their turn between two of them, and an aborted one ends there. */
export class Slices {
  readonly signal: AbortSignal | undefined
  #beganAt = performance.now()

  constructor(signal?: AbortSignal) {
    this.signal = signal
  }

  /** Whether the slice is over; then `next` waits for a turn. */
  get isOver(): boolean {
    return performance.now() - this.#beganAt >= sliceMsMax
  }

  /** Call it between two steps of the work, each of them well below a slice. */
  async next(): Promise<void> {
    this.signal?.throwIfAborted()
    if (!this.isOver) return
    await turn()
    this.#beganAt = performance.now()
  }
}
