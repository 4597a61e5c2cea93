import { useSyncExternalStore } from 'react'
import { createStore } from '../api/store.ts'

const clocks = new Map<number, { subscribe(listener: () => void): () => void; get(): number }>()

/**
 * The current time in epoch milliseconds, updated every `intervalMs`. One timer for all users of the same
 * interval.
 */
export function useNow(intervalMs = 10_000): number {
  let clock = clocks.get(intervalMs)
  if (!clock) {
    clock = createClock(intervalMs)
    clocks.set(intervalMs, clock)
  }
  return useSyncExternalStore(clock.subscribe, clock.get)
}

function createClock(intervalMs: number) {
  const now = createStore(Date.now())
  let followers = 0
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    get: now.get,
    subscribe(listener: () => void) {
      if (followers++ === 0) {
        now.set(Date.now())
        timer = setInterval(() => now.set(Date.now()), intervalMs)
      }
      const unsubscribe = now.subscribe(listener)
      return () => {
        unsubscribe()
        if (--followers === 0) clearInterval(timer)
      }
    },
  }
}
