/** Runs jobs one after the other, in the order of their requests. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(job: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(job)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
