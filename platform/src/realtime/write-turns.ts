/** Sockets written to between two turns of the event loop: a thousand in a row would hold up everybody else. */
export const writesPerTurn = 256

/** A socket that has something to write when its turn comes. */
export interface TurnWriter {
  writeDue(): void
}

/**
 * Lets sockets write the frames of one commit together. The first turn comes after the running code and its promises,
 * so that the store has its next statement before hundreds of pages are written to.
 */
export class WriteTurns {
  #writers: TurnWriter[] = []
  #done = 0

  /** A writer is added again only after its turn. */
  add(writer: TurnWriter): void {
    if (this.#writers.push(writer) === 1) process.nextTick(() => this.#run())
  }

  #run(): void {
    const until = Math.min(this.#done + writesPerTurn, this.#writers.length)
    while (this.#done < until) this.#writers[this.#done++]?.writeDue()
    if (this.#done < this.#writers.length) {
      setImmediate(() => this.#run())
      return
    }
    this.#writers = []
    this.#done = 0
  }
}
