import type { VisitClient } from '@busbar/testkit'

const lanes = 4
const pathPrefix = '/race/'

/** Requests of one visitor, one after the other on four connections, while a right goes. */
export class RequestRace {
  readonly #client: VisitClient
  readonly #method: string
  /** Every path that reached the machine. */
  readonly #asked: readonly string[]
  readonly #waiting: { readonly isMet: () => boolean; readonly resolve: () => void }[] = []
  readonly #running: Promise<void>[]
  #begunCount = 0
  #servedCount = 0
  #answeredAfterMark = 0
  #refusedCount = 0
  #mark = Number.POSITIVE_INFINITY
  #isStopped = false

  constructor(client: VisitClient, options: { method: string; asked: readonly string[] }) {
    this.#client = client
    this.#method = options.method
    this.#asked = options.asked
    this.#running = Array.from({ length: lanes }, () => this.#run())
  }

  /** Resolves once some were served. */
  served(): Promise<void> {
    return this.#when(() => this.#servedCount > lanes)
  }

  /** Resolves once one was answered by the platform in the machine's place. */
  refused(): Promise<void> {
    return this.#when(() => this.#refusedCount > 0)
  }

  /** What begins from here on must not reach the machine. */
  mark(): void {
    this.#mark = Math.min(this.#mark, this.#begunCount)
  }

  /** Waits for so many that begin after the mark, and ends; answers those of them that reached the machine. */
  async finish(count: number): Promise<string[]> {
    await this.#when(() => this.#answeredAfterMark >= count)
    await this.stop()
    return this.#asked.filter(
      (path) => path.startsWith(pathPrefix) && Number(path.slice(pathPrefix.length)) > this.#mark,
    )
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#running)
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const number = ++this.#begunCount
      const body = this.#method === 'GET' ? {} : { body: 'x' }
      // One that is cut half-way ends with an error.
      const status = await this.#client
        .request(`${pathPrefix}${number}`, { method: this.#method, ...body })
        .then(
          (answer) => answer.status,
          () => 0,
        )
      if (status === 200) this.#servedCount++
      else if (status !== 0) this.#refusedCount++
      if (number > this.#mark) this.#answeredAfterMark++
      for (const waiting of this.#waiting) if (waiting.isMet()) waiting.resolve()
    }
  }

  #when(isMet: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (isMet()) resolve()
      else this.#waiting.push({ isMet, resolve })
    })
  }
}
