/** One counter of a call: how many calls of one caller pass in a window. */
export interface Counter {
  /** The counters of one group share their memory and their window. */
  readonly group: string
  readonly key: string
  readonly max: number
  readonly windowMs: number
  /** Whether the tries in all processes count together: it limits guessing. */
  readonly isShared?: boolean
}

/** Where calls are counted. Asynchronous, because several processes may share the counters. */
export interface RateCounters {
  /** Takes one try of each counter, or none where one is used up: then the seconds until its window ends. */
  take(counters: readonly Counter[], now: number): Promise<{ readonly retryIn: number } | undefined>
  /** Gives a try of each counter back that `take` took. */
  giveBack(counters: readonly Counter[], now: number): Promise<void>
  /** Uses up a mark; false if it is missing or has ended. */
  takeMark(key: string, now: number): Promise<boolean>
  /** Leaves a mark until a time in epoch milliseconds. */
  putMark(key: string, until: number): Promise<void>
}

interface Window {
  readonly endsAt: number
  readonly counts: Map<string, number>
}

const keysMax = 100_000

/**
 * Counters of this process, in fixed windows. Past `keysMax` keys of a group the oldest is dropped: a limit on each
 * address does not stop a caller with many, and refusing all others would be a way to shut them out.
 */
export class LocalRateCounters implements RateCounters {
  readonly #keysMax: number
  readonly #windows = new Map<string, Window>()
  readonly #marks = new Map<string, number>()

  constructor(options: { readonly keysMax?: number } = {}) {
    this.#keysMax = options.keysMax ?? keysMax
  }

  async take(counters: readonly Counter[], now: number): Promise<{ retryIn: number } | undefined> {
    for (const counter of counters) {
      const { endsAt, counts } = this.#windowOf(counter, now)
      if ((counts.get(counter.key) ?? 0) >= counter.max)
        return { retryIn: Math.max(1, Math.ceil((endsAt - now) / 1000)) }
    }
    for (const counter of counters) {
      const { counts } = this.#windowOf(counter, now)
      counts.set(counter.key, (counts.get(counter.key) ?? 0) + 1)
      removeOldest(counts, this.#keysMax)
    }
    return undefined
  }

  async giveBack(counters: readonly Counter[], now: number): Promise<void> {
    for (const counter of counters) {
      const { counts } = this.#windowOf(counter, now)
      const count = counts.get(counter.key) ?? 0
      if (count > 1) counts.set(counter.key, count - 1)
      else counts.delete(counter.key)
    }
  }

  async takeMark(key: string, now: number): Promise<boolean> {
    const until = this.#marks.get(key)
    this.#marks.delete(key)
    return until !== undefined && now < until
  }

  async putMark(key: string, until: number): Promise<void> {
    this.#marks.delete(key)
    this.#marks.set(key, until)
    removeOldest(this.#marks, this.#keysMax)
  }

  #windowOf({ group, windowMs }: Counter, now: number): Window {
    const known = this.#windows.get(group)
    if (known && now < known.endsAt) return known
    const window = { endsAt: now + windowMs, counts: new Map<string, number>() }
    this.#windows.set(group, window)
    return window
  }
}

function removeOldest(map: Map<string, number>, max: number): void {
  if (map.size <= max) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
