import { setTimeout as sleep } from 'node:timers/promises'
import { Calm } from './calm.ts'

const pollMs = 100
const calm = new Calm()

/**
 * Asks again and again whether something is so; a question that fails counts as no. Answers the milliseconds since
 * `since` (by the monotonic clock), or undefined when it was not so within `msMax` of it: milliseconds in which this
 * machine could have worked (`calm.ts`).
 */
export async function untilTrue(
  check: () => Promise<boolean> | boolean,
  msMax: number,
  since = performance.now(),
): Promise<number | undefined> {
  calm.use()
  try {
    for (let calmMs = performance.now() - since, before = calm.now; ; ) {
      // A late answer of a busy machine counts if the question was in time.
      const askedAt = performance.now()
      const isSo = await Promise.resolve()
        .then(check)
        .catch(() => false)
      if (isSo) return askedAt - since
      calmMs += calm.now - before
      before = calm.now
      if (calmMs > msMax) return undefined
      await sleep(pollMs)
    }
  } finally {
    calm.release()
  }
}

/**
 * How long work takes: milliseconds in which this machine could have worked (`calm.ts`). For a limit that is a rule, as a right
 * that is lost within a second.
 */
export async function calmMsOf(work: () => Promise<unknown>): Promise<number> {
  calm.use()
  const since = calm.now
  try {
    await work()
    return calm.now - since
  } finally {
    calm.release()
  }
}
