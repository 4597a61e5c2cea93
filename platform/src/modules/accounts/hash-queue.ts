import { Failure } from '../../kernel/http/failure.ts'

/** The lane of a waiting caller: `known` are people who are signed in or use a terminal they signed in on before. */
export type HashLane = 'known' | 'stranger'

/** Hashes waiting or running: of all, and of strangers among them (rules/accounts.md: passwords). */
const places = { all: 64, stranger: 32 } as const

/**
 * Runs hashes, a few at a time, of both lanes in turn: strangers from many addresses get half of the places and half of
 * the time, and the other half stays for known people.
 */
export class HashQueue {
  readonly #runningMax: number
  readonly #waiting: Record<HashLane, (() => void)[]> = { known: [], stranger: [] }
  readonly #taken: Record<HashLane, number> = { known: 0, stranger: 0 }
  #running = 0
  #last: HashLane = 'stranger'

  constructor(options: { readonly runningMax: number }) {
    this.#runningMax = options.runningMax
  }

  /** Runs the work when its lane has its turn. Throws 429 if the lane is full. */
  async run<Result>(lane: HashLane, work: () => Promise<Result>): Promise<Result> {
    const { known, stranger } = this.#taken
    const isFull = known + stranger >= places.all || (lane === 'stranger' && stranger >= places.stranger)
    if (isFull) throw new Failure('429', { data: { retryIn: 1 } })
    this.#taken[lane]++
    try {
      await new Promise<void>((start) => {
        this.#waiting[lane].push(start)
        this.#startNext()
      })
      try {
        return await work()
      } finally {
        this.#running--
        this.#startNext()
      }
    } finally {
      this.#taken[lane]--
    }
  }

  #startNext(): void {
    if (this.#running >= this.#runningMax) return
    const other: HashLane = this.#last === 'known' ? 'stranger' : 'known'
    const lane = this.#waiting[other].length > 0 ? other : this.#last
    const start = this.#waiting[lane].shift()
    if (!start) return
    this.#last = lane
    this.#running++
    start()
  }
}
