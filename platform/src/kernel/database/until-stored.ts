import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from './database-fault.ts'

const pauseMs = 1_000

/** Ends `untilStored`, and reports its failures. */
export interface UntilStored {
  /** Aborted: the next failure is thrown. */
  readonly signal: AbortSignal
  /** Called for each failure that is followed by another try. */
  failed(error: unknown): void
}

/**
 * Runs `work` until it succeeds, with a pause after each fault of the database. Throws any other error at once. For
 * work that cannot be repeated later, and that may run twice.
 */
export async function untilStored<T>(work: () => Promise<T>, { signal, failed }: UntilStored): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error
      failed(error)
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}
