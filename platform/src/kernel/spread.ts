import { setTimeout as sleep } from 'node:timers/promises'

/** A few are done at once. */
const msPerOneMax = 5
const stepMs = 50

/**
 * Does something with each of `all`, evenly over `ms` or, where they are few, sooner. Resolves when each is done;
 * `act` gets the milliseconds that are left, and what it throws is thrown.
 */
export async function spread<T>(
  all: readonly T[],
  ms: number,
  act: (one: T, leftMs: number) => Promise<void> | void,
): Promise<void> {
  const startedAt = performance.now()
  const totalMs = Math.min(ms, all.length * msPerOneMax)
  const acts: (Promise<void> | void)[] = []
  for (;;) {
    const passedMs = performance.now() - startedAt
    const due = totalMs > 0 ? Math.min(all.length, Math.ceil((passedMs / totalMs) * all.length)) : all.length
    for (const one of all.slice(acts.length, due)) acts.push(act(one, ms - passedMs))
    if (acts.length === all.length) break
    await sleep(Math.min(stepMs, totalMs / all.length))
  }
  await Promise.all(acts)
}
