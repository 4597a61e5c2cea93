import { startDeadline } from '../../kernel/deadline.ts'

/**
 * Work on data that may change meanwhile: a request during a run causes one more run, and every caller waits for the
 * last.
 */
export class LastRun {
  readonly #work: (isLast: () => boolean) => Promise<void>
  #asked = 0
  #running: Promise<void> | undefined

  /** `isLast` tells at the end of a run whether no new request has come. */
  constructor(work: (isLast: () => boolean) => Promise<void>) {
    this.#work = work
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Waits for the present run, if any, up to a limit. */
  async wait(msMax: number): Promise<void> {
    if (!this.#running) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const callOff = startDeadline(msMax, resolve)
    try {
      await Promise.race([this.#running, promise])
    } finally {
      callOff()
    }
  }

  run(): Promise<void> {
    this.#asked++
    this.#running ??= this.#repeat().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #repeat(): Promise<void> {
    for (let seen = 0; seen !== this.#asked; ) {
      seen = this.#asked
      const run = seen
      await this.#work(() => run === this.#asked)
    }
  }
}
