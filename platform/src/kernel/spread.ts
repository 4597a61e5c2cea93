import { setTimeout as sleep } from 'node:timers/promises'

/** A few run at the same time. */
const msPerOneMax = 5
const stepMs = 50

/**
 * Calls `act` for each of `all`, spread evenly over `ms`, or over less if they are few. Resolves when all are done;
 * `act` gets the remaining milliseconds, and its first error is thrown then.
 */
export async function spread<T>(
  all: readonly T[],
  ms: number,
  act: (one: T, leftMs: number) => Promise<void> | void,
): Promise<void> {
  const startedAt = performance.now()
  const totalMs = Math.min(ms, all.length * msPerOneMax)
  const acts: Promise<void>[] = []
  const errors: unknown[] = []
  for (;;) {
    const passedMs = performance.now() - startedAt
    const due = totalMs > 0 ? Math.min(all.length, Math.ceil((passedMs / totalMs) * all.length)) : all.length
    // Caught at once: an error that nothing awaits yet would end the process.
    for (const one of all.slice(acts.length, due))
      acts.push(Promise.try(act, one, ms - passedMs).catch((error) => void errors.push(error)))
    if (acts.length === all.length) break
    await sleep(Math.min(stepMs, totalMs / all.length))
  }
  await Promise.all(acts)
  if (errors.length > 0) throw errors[0]
}
