/** Counts events of a key in fixed windows; keys are dropped with their window, and `keysMax` bounds the memory. */
export class RateLimiter {
  readonly #windowMs: number
  readonly #max: number
  readonly #keysMax: number
  #counts = new Map<string, number>()
  #windowEndsAt = 0

  constructor(options: { max: number; windowMs: number; keysMax?: number }) {
    this.#max = options.max
    this.#windowMs = options.windowMs
    this.#keysMax = options.keysMax ?? 100_000
  }

  /** Takes one of the key's tries; false when they are used up. Past `keysMax` keys nothing new is let in. */
  take(key: string, now: number): boolean {
    if (now >= this.#windowEndsAt) {
      this.#counts = new Map()
      this.#windowEndsAt = now + this.#windowMs
    }
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#max || (count === 0 && this.#counts.size >= this.#keysMax)) return false
    this.#counts.set(key, count + 1)
    return true
  }

  /** Seconds until the window ends. */
  retryInS(now: number): number {
    return Math.max(1, Math.ceil((this.#windowEndsAt - now) / 1000))
  }
}
