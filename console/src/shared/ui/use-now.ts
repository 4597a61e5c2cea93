import { useSyncExternalStore } from 'react'
import { createStore } from '../api/store.ts'

const clocks = new Map<number, { subscribe(listener: () => void): () => void; get(): number }>()

/**
 * The current time in epoch milliseconds, updated every `intervalMs`. One timer for all users of the same
 * interval.
 */
export function useNow(intervalMs = 10_000): number {
  const clock = clockOf(intervalMs)
  return useSyncExternalStore(clock.subscribe, clock.get)
}

/** A value that `read` derives from the current time every `intervalMs`; only another value draws anything again. */
export function useFromNow<T extends string | number | boolean>(
  intervalMs: number,
  read: (now: number) => T,
): T {
  const clock = clockOf(intervalMs)
  return useSyncExternalStore(clock.subscribe, () => read(clock.get()))
}

function clockOf(intervalMs: number) {
  const known = clocks.get(intervalMs)
  if (known) return known
  const clock = createClock(intervalMs)
  clocks.set(intervalMs, clock)
  return clock
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
