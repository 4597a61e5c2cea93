import { Failure } from '../../kernel/http/failure.ts'

interface Limits {
  readonly atOnceMax: number
  readonly perSecondMax: number
  readonly waitingMax: number
  readonly perPersonMax: number
}

export const usualGate: Limits = { atOnceMax: 64, perSecondMax: 500, waitingMax: 500, perPersonMax: 32 }

/** Lets fetches of tiles go out: a number at once, a number in each second, and few of each person. */
export class FetchGate {
  readonly #limits: Limits
  readonly #now: () => number
  readonly #byPerson = new Map<number, number>()
  readonly #waiting: (() => void)[] = []
  #running = 0
  #secondFrom = Number.NEGATIVE_INFINITY
  #startedInSecond = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limits: Limits = usualGate, now: () => number = Date.now) {
    this.#limits = limits
    this.#now = now
  }

  /** @throws Failure 429 for a person with too many, 503 where too many wait */
  async pass<Answer>(userId: number, fetch: () => Promise<Answer>): Promise<Answer> {
    const own = this.#byPerson.get(userId) ?? 0
    if (own >= this.#limits.perPersonMax) throw new Failure('429', { data: { retryIn: 1 } })
    if (this.#waiting.length >= this.#limits.waitingMax) throw new Failure('503', { data: { retryIn: 1 } })
    this.#byPerson.set(userId, own + 1)
    try {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
        this.#start()
      })
      try {
        return await fetch()
      } finally {
        this.#running--
        this.#start()
      }
    } finally {
      const left = (this.#byPerson.get(userId) ?? 1) - 1
      if (left > 0) this.#byPerson.set(userId, left)
      else this.#byPerson.delete(userId)
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #start(): void {
    const { atOnceMax, perSecondMax } = this.#limits
    while (this.#waiting.length > 0 && this.#running < atOnceMax) {
      const now = this.#now()
      if (Math.abs(now - this.#secondFrom) >= 1_000) {
        this.#secondFrom = now
        this.#startedInSecond = 0
      }
      if (this.#startedInSecond >= perSecondMax) {
        this.#timer ??= setTimeout(
          () => {
            this.#timer = undefined
            this.#start()
          },
          Math.max(this.#secondFrom + 1_000 - now, 1),
        )
        return
      }
      this.#startedInSecond++
      this.#running++
      this.#waiting.shift()?.()
    }
  }
}
