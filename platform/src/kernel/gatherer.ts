interface Waiting<In, Out> {
  readonly input: In
  readonly resolve: (output: Out) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines the requests that come while earlier work runs: a hundred simultaneous callers cost a few statements and one
 * commit, and a single caller does not wait. If the work fails for several, each is done by itself, so that none fails
 * because of another.
 */
export class Gatherer<In, Out> {
  readonly #work: (inputs: readonly In[]) => Promise<readonly Out[]>
  readonly #max: number
  #waiting: Waiting<In, Out>[] = []
  #isWorking = false

  /** `work` answers an output for each input, in their order; it gets `max` inputs at most. */
  constructor(work: (inputs: readonly In[]) => Promise<readonly Out[]>, max: number) {
    this.#work = work
    this.#max = max
  }

  do(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject })
      if (!this.#isWorking) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isWorking = true
    // Callers of this moment come along.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#settle(this.#waiting.splice(0, this.#max))
    this.#isWorking = false
  }

  async #settle(some: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outputs = await this.#work(some.map(({ input }) => input))
      for (const [place, { resolve }] of some.entries()) resolve(outputs[place] as Out)
    } catch (error) {
      if (some.length === 1) some[0]?.reject(error)
      else for (const one of some) await this.#settle([one])
    }
  }
}
