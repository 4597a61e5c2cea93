import type { ReadBlock, ReadItem, ReadLimits } from './plan-reads.ts'
import { hasGap, planReads } from './plan-reads.ts'

/** Time for which a tag that the device refused is left out before it is requested again. */
export const refusedRetryMs = 30_000

// Illegal function, address or value: the answer will be the same next time. The others (busy, device
// failure, memory parity) may be temporary, so they are not remembered.
const lastingExceptions = new Set([1, 2, 3])

/**
 * Remembers a device's refusals, so that one wrong tag costs a few requests once and not at every poll. Pure:
 * time comes in as `atMs`, monotonic.
 */
export class ReadMemory {
  readonly #items: ReadItem[]
  readonly #limits: ReadLimits
  readonly #refusedUntil = new Map<number, number>()
  #plan: ReadBlock[] | null = null

  constructor(items: readonly ReadItem[], limits: ReadLimits) {
    this.#items = items.map((item) => ({ ...item }))
    this.#limits = { ...limits }
  }

  /** The requests of this poll. A refused tag comes alone, and only when its retry is due. */
  blocksAt(atMs: number): ReadBlock[] {
    this.#plan ??= planReads(
      this.#items.filter((item) => !this.#refusedUntil.has(item.index)),
      this.#limits,
    )
    if (this.#refusedUntil.size === 0) return this.#plan
    const due = this.#items.filter((item) => (this.#refusedUntil.get(item.index) ?? Infinity) <= atMs)
    return [...this.#plan, ...due.map(blockOf)]
  }

  /** The device refused this tag in a request of its own. */
  refused(index: number, exceptionCode: number, atMs: number): void {
    if (!lastingExceptions.has(exceptionCode)) return
    if (!this.#refusedUntil.has(index)) this.#plan = null
    this.#refusedUntil.set(index, atMs + refusedRetryMs)
  }

  /** The device answered for this tag: it goes back into a block. */
  answered(index: number): void {
    if (this.#refusedUntil.delete(index)) this.#plan = null
  }

  /**
   * A block was refused although each of its tags is readable: the fault was the gap in it, or, without a gap, its
   * length (many devices answer fewer registers than the protocol allows).
   */
  blockRefused(block: ReadBlock, exceptionCode: number): void {
    if (!lastingExceptions.has(exceptionCode)) return
    if (hasGap(block)) {
      for (const item of block.items) item.gapless = true
    } else {
      const half = Math.max(1, Math.floor(block.count / 2))
      if (block.area === 'coil' || block.area === 'discrete') this.#limits.blockBitsMax = half
      else this.#limits.blockRegistersMax = half
    }
    this.#plan = null
  }
}

/** A request for one tag only. */
export function blockOf(item: ReadItem): ReadBlock {
  return { area: item.area, start: item.start, count: item.count, items: [item] }
}
