import type { Clock } from '../clock.ts'

/** Waits, at most until `signal` is aborted. */
export function pause(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(delayMs, end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
