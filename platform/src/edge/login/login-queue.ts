/** Codes of one query. */
const codesPerQueryMax = 500
/** The part of a query that codes nobody signed in with may take while others wait. */
const strangeCodesPerQuery = 100
/** Codes of one kind that may wait, in all and from one address. */
const waitingMax = 10_000
const waitingOfAddressMax = 1_000
/** Codes that are remembered as a machine's. */
const familiarMax = 100_000

interface Waiting<Row> {
  readonly answer: PromiseWithResolvers<Row | undefined>
  readonly code: string
}

/**
 * Codes of machines that wait to be read. Those that were a machine's before go first, so that a flood of invented ones
 * does not delay them; within each kind addresses take turns (rules/wire.md: wrong secrets).
 */
export class LoginQueue<Row> {
  readonly #waiting = new Map<string, Waiting<Row>>()
  readonly #familiarLane = new Lane()
  readonly #strangeLane = new Lane()
  readonly #familiar = new Set<string>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** The row of a code once it is read; undefined when too many wait. Two who ask for one code share an answer. */
  add(code: string, address: string): Promise<Row | undefined> | undefined {
    const before = this.#waiting.get(code)
    if (before) return before.answer.promise
    const lane = this.#familiar.has(code) ? this.#familiarLane : this.#strangeLane
    if (!lane.add(code, address)) return undefined
    const answer = Promise.withResolvers<Row | undefined>()
    this.#waiting.set(code, { code, answer })
    return answer.promise
  }

  /** The codes of the next query, taken out of the queue. */
  take(): readonly Waiting<Row>[] {
    const taken: Waiting<Row>[] = []
    const strangeMax = Math.max(strangeCodesPerQuery, codesPerQueryMax - this.#familiarLane.length)
    this.#move(this.#strangeLane, strangeMax, taken)
    this.#move(this.#familiarLane, codesPerQueryMax, taken)
    return taken
  }

  /** A code is a machine's. The one that was asked for longest ago makes room. */
  remember(code: string): void {
    this.#familiar.delete(code)
    this.#familiar.add(code)
    const [oldest] = this.#familiar
    if (this.#familiar.size > familiarMax && oldest !== undefined) this.#familiar.delete(oldest)
  }

  #move(lane: Lane, most: number, taken: Waiting<Row>[]): void {
    while (taken.length < most) {
      const code = lane.next()
      const waiting = code === undefined ? undefined : this.#waiting.get(code)
      if (!waiting) return
      this.#waiting.delete(waiting.code)
      taken.push(waiting)
    }
  }
}

/** Codes in the order in which addresses take turns. */
class Lane {
  readonly #byAddress = new Map<string, string[]>()
  length = 0

  /** False when too many wait. */
  add(code: string, address: string): boolean {
    const ofAddress = this.#byAddress.get(address) ?? []
    if (this.length >= waitingMax || ofAddress.length >= waitingOfAddressMax) return false
    ofAddress.push(code)
    this.#byAddress.set(address, ofAddress)
    this.length++
    return true
  }

  next(): string | undefined {
    const [turn] = this.#byAddress
    if (!turn) return undefined
    const [address, codes] = turn
    const code = codes.shift()
    this.#byAddress.delete(address)
    if (codes.length > 0) this.#byAddress.set(address, codes)
    this.length--
    return code
  }
}
