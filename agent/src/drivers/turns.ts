/** Lets jobs have something to themselves, one after the other, in the order they asked. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(job: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(job)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
