const size = 1_024

/**
 * The numbers of a sender that were used: none is taken twice, nor one that is much older than the newest. Numbers may
 * overtake each other, as when a line breaks and another one takes over.
 */
export class ReplayWindow {
  readonly #first: number
  readonly #taken = new Float64Array(size)
  #newest = 0

  /** Numbers begin at 1; those before `first` were taken elsewhere. */
  constructor(first: number) {
    this.#first = first
  }

  take(number: number): boolean {
    if (number < this.#first || number <= this.#newest - size) return false
    const place = number % size
    if (this.#taken[place] === number) return false
    this.#taken[place] = number
    this.#newest = Math.max(this.#newest, number)
    return true
  }
}
