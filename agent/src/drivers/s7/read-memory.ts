import type { ReadItem, ReadSpan } from './plan-reads.ts'
import { planReads } from './plan-reads.ts'

/** Time for which a tag that the controller refused is left out before it is requested again. */
export const refusedRetryMs = 30_000

/**
 * Remembers a controller's refusals, so that a wrong tag costs its requests twice a minute and not at every
 * poll. Pure: time comes in as `atMs`, monotonic.
 */
export class ReadMemory {
  readonly #items: readonly ReadItem[]
  readonly #gapBytesMax: number
  readonly #refusedUntil = new Map<number, number>()
  #plan: { pduBytes: number; requests: ReadSpan[][] } | null = null

  constructor(items: readonly ReadItem[], gapBytesMax: number) {
    this.#items = items
    this.#gapBytesMax = gapBytesMax
  }

  /** The requests of a poll. Refused tags come in separate requests, when their time has come. */
  requestsAt(atMs: number, pduBytes: number): ReadSpan[][] {
    if (this.#plan?.pduBytes !== pduBytes) {
      const items = this.#items.filter(({ index }) => !this.#refusedUntil.has(index))
      this.#plan = { pduBytes, requests: this.requestsOf(items, pduBytes) }
    }
    if (this.#refusedUntil.size === 0) return this.#plan.requests
    const due = this.#items.filter(({ index }) => (this.#refusedUntil.get(index) ?? Infinity) <= atMs)
    return [...this.#plan.requests, ...this.requestsOf(due, pduBytes)]
  }

  /** The requests of some tags only. */
  requestsOf(items: readonly ReadItem[], pduBytes: number): ReadSpan[][] {
    return planReads(items, { pduBytes, gapBytesMax: this.#gapBytesMax })
  }

  refused(index: number, atMs: number): void {
    if (!this.#refusedUntil.has(index)) this.#plan = null
    this.#refusedUntil.set(index, atMs + refusedRetryMs)
  }

  /** The controller answered for this tag: it goes back to the others. */
  answered(index: number): void {
    if (this.#refusedUntil.delete(index)) this.#plan = null
  }
}
