import { type Load, limits } from '@busbar/contract'
import { Failure } from './failure.ts'

/** Calls of one person that wait; a further one is refused at once. */
const waitingPerPersonMax = 8
const waitMsMax = 2_000
/** The waiting time in the answer to a refused call, in s. */
const retryIn = 2
/** PostgreSQL: a statement took longer than it may. */
const statementEnded = '57014'

interface Waiting {
  readonly userId: number
  begin(): void
}

/**
 * Lets few heavy calls run at the same time. A person's second call runs only while less than half of the places are
 * taken, and of those that wait the person with the fewest running goes first, then the one served longest ago: some
 * people must not lock out the others (rules/calls.md: heavy calls).
 */
export class LoadGate {
  readonly #placesMax: number
  readonly #running = new Map<number, number>()
  readonly #waiting: Waiting[] = []
  /** Each person's last turn, of those that run or wait. */
  readonly #turns = new Map<number, number>()
  #busy = 0
  #turn = 0

  constructor(placesMax: number) {
    this.#placesMax = placesMax
  }

  /**
   * Runs `work` once there is a place for it. Throws 429 if none becomes free within two seconds, and the signal's reason
   * where the caller leaves before.
   */
  async run<T>(userId: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#mayBegin(userId)) this.#take(userId)
    else await this.#wait(userId, signal)
    try {
      return await work()
    } finally {
      this.#release(userId)
    }
  }

  #mayBegin(userId: number): boolean {
    if (this.#busy >= this.#placesMax) return false
    const own = this.#running.get(userId) ?? 0
    return own === 0 || (own < limits.loadRunningPerPerson && this.#busy * 2 < this.#placesMax)
  }

  async #wait(userId: number, signal: AbortSignal | undefined): Promise<void> {
    const own = this.#waiting.filter((waiting) => waiting.userId === userId)
    if (own.length >= waitingPerPersonMax) throw new Failure('429', { data: { retryIn } })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { userId, begin: resolve }
    const giveUp = (reason: unknown) => {
      const place = this.#waiting.indexOf(waiting)
      if (place === -1) return
      this.#waiting.splice(place, 1)
      reject(reason)
    }
    const timer = setTimeout(() => giveUp(new Failure('429', { data: { retryIn } })), waitMsMax)
    const leave = () => giveUp(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    this.#waiting.push(waiting)
    await promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    })
  }

  #take(userId: number): void {
    this.#busy++
    this.#turns.set(userId, ++this.#turn)
    this.#running.set(userId, (this.#running.get(userId) ?? 0) + 1)
  }

  #release(userId: number): void {
    this.#busy--
    const own = (this.#running.get(userId) ?? 1) - 1
    if (own === 0) this.#running.delete(userId)
    else this.#running.set(userId, own)
    for (let next = this.#next(); next; next = this.#next()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      // The place is taken before anybody else can ask for it.
      this.#take(next.userId)
      next.begin()
    }
    const isHere = this.#running.has(userId) || this.#waiting.some((waiting) => waiting.userId === userId)
    if (!isHere) this.#turns.delete(userId)
  }

  #next(): Waiting | undefined {
    let first: Waiting | undefined
    for (const waiting of this.#waiting) {
      if (!this.#mayBegin(waiting.userId)) continue
      if (!first || this.#isBefore(waiting.userId, first.userId)) first = waiting
    }
    return first
  }

  #isBefore(one: number, other: number): boolean {
    const running = (this.#running.get(one) ?? 0) - (this.#running.get(other) ?? 0)
    return running < 0 || (running === 0 && (this.#turns.get(one) ?? 0) < (this.#turns.get(other) ?? 0))
  }
}

/** The gate of each kind of load: kinds that share connections share their places. */
export interface LoadGates {
  /** Runs a call of a route; one without a load at once. `signal`: the caller left. */
  run<T>(
    load: Load | undefined,
    userId: number | undefined,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>
}

/** `connections`: how many each pool has. */
export function createLoadGates(connections: { history: number; lists: number }): LoadGates {
  const history = new LoadGate(Math.min(connections.history, limits.loadRunningMax))
  const lists = new LoadGate(Math.min(connections.lists, limits.loadRunningMax))
  const file = new LoadGate(limits.loadRunningMax)
  const gateOf: Record<Load, LoadGate> = { history, report: history, list: lists, search: lists, file }
  return {
    async run(load, userId, work, signal) {
      if (!load) return work()
      try {
        return await gateOf[load].run(userId ?? 0, work, signal)
      } catch (error) {
        throw (error as { code?: string }).code === statementEnded ? new Failure('QUERY_TOO_LARGE') : error
      }
    },
  }
}
