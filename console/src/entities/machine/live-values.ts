import { useCallback, useSyncExternalStore } from 'react'
import type { LiveValue } from '../../shared/api/live-value.ts'

/** The most values kept; beyond it the oldest ones are dropped and reloaded. */
const valuesMax = 20_000

/**
 * The newest value of each tag, followed one tag at a time: a value that changes draws its own cell and nothing
 * else. A value only moves forward: a late one is older than the one shown.
 */
export class LiveValues {
  readonly #values = new Map<number, LiveValue>()
  readonly #listeners = new Map<number, Set<() => void>>()
  /** Epoch milliseconds at which a value last came; 0 before. */
  heardAt = 0

  get(tagId: number): LiveValue | undefined {
    return this.#values.get(tagId)
  }

  put(values: readonly LiveValue[]): void {
    if (values.length > 0) this.heardAt = Date.now()
    for (const value of values) {
      const known = this.#values.get(value.tagId)
      if (known && !isNewer(value, known)) continue
      // Removed first, so that the map is in order of arrival.
      this.#values.delete(value.tagId)
      this.#values.set(value.tagId, value)
      for (const listener of this.#listeners.get(value.tagId) ?? []) listener()
    }
    while (this.#values.size > valuesMax) {
      const oldest = this.#values.keys().next()
      if (oldest.done) break
      this.#values.delete(oldest.value)
    }
  }

  subscribe(tagId: number, listener: () => void): () => void {
    const listeners = this.#listeners.get(tagId) ?? new Set()
    this.#listeners.set(tagId, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(tagId) === listeners) this.#listeners.delete(tagId)
    }
  }
}

/**
 * A second value of the same time may carry another quality, because it became stale. A stale value may have the time of
 * its device's death, and the value after it may be older than that.
 */
function isNewer(value: LiveValue, known: LiveValue): boolean {
  if (known.quality === 'stale' && value.receivedAt > known.receivedAt) return true
  if (value.time !== known.time) return value.time > known.time
  return value.quality !== known.quality || value.value !== known.value || value.receivedAt > known.receivedAt
}

/** The values that this tab received, for every screen of machines. */
export const liveValues = new LiveValues()

/** The newest value of a tag, if any has arrived. */
export function useLiveValue(tagId: number | null): LiveValue | undefined {
  const subscribe = useCallback(
    (listener: () => void) => (tagId === null ? () => {} : liveValues.subscribe(tagId, listener)),
    [tagId],
  )
  return useSyncExternalStore(subscribe, () => (tagId === null ? undefined : liveValues.get(tagId)))
}
