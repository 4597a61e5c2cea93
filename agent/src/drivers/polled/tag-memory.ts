import type { Retry } from './protocol.ts'

/** Time for which a tag that the controller refused is left out before it is requested again. */
export const refusedRetryMs = 30_000
/** For a tag that is never answered it doubles each time, so often: each try costs a timeout. */
const doublingsMax = 4
/** How often a tag stays without an answer, alone, before it is parked. */
const silencesMax = 2

/** A tag that is not read together with the others. */
interface Apart {
  /** Monotonic ms of its next question. */
  dueAtMs: number
  /** Questions of its own that were not answered. */
  silences: number
}

/**
 * Remembers which tags a controller refuses or does not answer, so that one of them costs a few questions and not the
 * values of all others. Pure: time comes in as `atMs`, monotonic.
 */
export class TagMemory {
  readonly #count: number
  readonly #apart = new Map<number, Apart>()
  #together: readonly number[] | null = null
  #lastPassed = -1

  constructor(count: number) {
    this.#count = count
  }

  /** The tags that are read together; another array whenever they have changed. */
  get together(): readonly number[] {
    this.#together ??= [...Array(this.#count).keys()].filter((index) => !this.#apart.has(index))
    return this.#together
  }

  /** Refused tags whose time has come: they are asked for together again. */
  againAt(atMs: number): number[] {
    return this.#dueAt(atMs).filter((index) => this.#isRefused(index))
  }

  /** The others whose time has come, those that were silent least often first. */
  aloneAt(atMs: number): number[] {
    const turnOf = (index: number): number =>
      (index > this.#lastPassed ? 0 : this.#count) + index + 2 * this.#count * this.#silencesOf(index)
    return this.#dueAt(atMs)
      .filter((index) => !this.#isRefused(index))
      .sort((left, right) => turnOf(left) - turnOf(right))
  }

  #dueAt(atMs: number): number[] {
    return [...this.#apart].flatMap(([index, { dueAtMs }]) => (dueAtMs <= atMs ? [index] : []))
  }

  #isRefused(index: number): boolean {
    const apart = this.#apart.get(index)
    return apart !== undefined && apart.silences === 0 && apart.dueAtMs > 0
  }

  /** A question for several tags was not answered: each is asked for alone. */
  suspect(indexes: readonly number[]): void {
    for (const index of indexes) this.#setApart(index, { dueAtMs: 0, silences: 0 })
  }

  /** The next search begins behind this tag. */
  passOver(index: number): void {
    this.#lastPassed = index
  }

  /** The controller answered others, and not a question for this tag alone. True if it is parked now. */
  silent(index: number, atMs: number): boolean {
    const silences = this.#silencesOf(index) + 1
    const isParked = silences >= silencesMax
    const parkedMs = refusedRetryMs * 2 ** Math.min(silences - silencesMax, doublingsMax)
    this.#setApart(index, { silences, dueAtMs: isParked ? atMs + parkedMs : 0 })
    return isParked
  }

  refused(index: number, retry: Retry, atMs: number): void {
    if (retry === 'together') this.answered(index)
    else this.#setApart(index, { dueAtMs: retry === 'later' ? atMs + refusedRetryMs : 0, silences: 0 })
  }

  /** The controller answered for this tag: it goes back to the others. */
  answered(index: number): void {
    if (this.#apart.delete(index)) this.#together = null
  }

  /** The controller itself was away: tags that are not parked are not to blame. */
  acquit(): void {
    for (const [index, { dueAtMs }] of this.#apart) if (dueAtMs === 0) this.#apart.delete(index)
    this.#together = null
  }

  #silencesOf(index: number): number {
    return this.#apart.get(index)?.silences ?? 0
  }

  #setApart(index: number, apart: Apart): void {
    if (!this.#apart.has(index)) this.#together = null
    this.#apart.set(index, apart)
  }
}
