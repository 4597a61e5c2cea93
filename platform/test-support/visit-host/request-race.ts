import type { VisitClient } from '@busbar/testkit'

const lanes = 4
const deadlineMs = 10_000
const pathPrefix = '/race/'

/** Requests of one visitor, one after the other on four connections, while a right goes. */
export class RequestRace {
  readonly #client: VisitClient
  readonly #method: string
  /** Every path that reached the machine. */
  readonly #asked: readonly string[]
  readonly #waiting: { readonly isMet: () => boolean; readonly resolve: () => void }[] = []
  #runningCount = lanes
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
    for (let lane = 0; lane < lanes; lane++) void this.#run()
  }

  /** Resolves once some were served. */
  served(): Promise<void> {
    return this.#when(() => this.#servedCount > lanes)
  }

  /** Resolves once one was answered by the platform in the machine's place. */
  refused(): Promise<void> {
    return this.#when(() => this.#refusedCount > 0)
  }

  /** Requests that begin from here on must not reach the machine. */
  mark(): void {
    this.#mark = Math.min(this.#mark, this.#begunCount)
  }

  /** Waits for `count` requests that begin after the mark, and end; answers those of them that reached the machine. */
  async finish(count: number): Promise<string[]> {
    await this.#when(() => this.#answeredAfterMark >= count)
    this.stop()
    await this.#when(() => this.#runningCount === 0)
    return this.#asked.filter(
      (path) => path.startsWith(pathPrefix) && Number(path.slice(pathPrefix.length)) > this.#mark,
    )
  }

  stop(): void {
    this.#isStopped = true
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
      this.#wake()
    }
    this.#runningCount--
    this.#wake()
  }

  #wake(): void {
    for (const waiting of this.#waiting) if (waiting.isMet()) waiting.resolve()
  }

  #when(isMet: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (isMet()) return resolve()
      const late = setTimeout(
        () => reject(new Error(`requests stand still: ${this.#begunCount} begun`)),
        deadlineMs,
      )
      const met = () => {
        clearTimeout(late)
        resolve()
      }
      this.#waiting.push({ isMet, resolve: met })
    })
  }
}
