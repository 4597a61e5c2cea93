const requestsMax = 32

interface PendingRequest<Request> {
  readonly request: Request
  /** The next answer with its number is certainly its own. */
  readonly isSure: boolean
}

/** A tool's requests until their answers come, by the numbers that tools give them. */
export class PendingRequests<Request> {
  readonly #pending = new Map<number, PendingRequest<Request>>()
  readonly #giveUp: (request: Request) => void

  /** `giveUp` is called for a request whose answer is not waited for any longer. */
  constructor(giveUp: (request: Request) => void) {
    this.#giveUp = giveUp
  }

  add(id: number, request: Request): void {
    // A tool that gives several the same number: which of them an answer means cannot be told.
    const isSure = !this.#remove(id)
    this.#pending.set(id, { request, isSure })
    if (this.#pending.size <= requestsMax) return
    const [first] = this.#pending.keys()
    if (first !== undefined) this.#remove(first)
  }

  find(id: number): PendingRequest<Request> | undefined {
    return this.#pending.get(id)
  }

  answered(id: number): void {
    this.#pending.delete(id)
  }

  /** No answer comes any more. */
  end(): void {
    for (const id of [...this.#pending.keys()]) this.#remove(id)
  }

  #remove(id: number): boolean {
    const before = this.#pending.get(id)
    if (before === undefined) return false
    this.#pending.delete(id)
    this.#giveUp(before.request)
    return true
  }
}
