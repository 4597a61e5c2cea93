import type { Clock } from './clock.ts'

/** Resolves with `done`, at the latest after `limitMs`. */
export function within(limitMs: number, done: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(limitMs, resolve)
    void done.then(() => {
      cancel()
      resolve()
    })
  })
}
