/** Growing pauses between tries: `firstMs`, then twice as long each time, at most `mostMs`. */
export class Backoff {
  readonly #firstMs: number
  readonly #mostMs: number
  #tries = 0

  constructor(firstMs: number, mostMs: number) {
    this.#firstMs = firstMs
    this.#mostMs = mostMs
  }

  /** The pause before the next try, without jitter. */
  nextMs(): number {
    // 2^30 is beyond any limit; more would only leave the range of exact numbers.
    const delayMs = Math.min(this.#mostMs, this.#firstMs * 2 ** Math.min(this.#tries, 30))
    this.#tries++
    return delayMs
  }

  reset(): void {
    this.#tries = 0
  }
}
