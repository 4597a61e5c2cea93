import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from './database-fault.ts'

const pauseMs = 1_000

/** When `untilStored` ends, and who hears of its failures. */
export interface UntilStored {
  /** Aborted: the next failure is thrown. */
  readonly signal: AbortSignal
  /** Told of each failure that is followed by another try. */
  failed(error: unknown): void
}

/**
 * Does `work` until it succeeds, with a pause after each fault of the database. Throws any other error at once. For work
 * that cannot be asked for again, and that does no harm when it is done twice.
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
