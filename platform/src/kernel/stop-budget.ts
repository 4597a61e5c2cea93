/**
 * A stop that takes longer is ended from within: whatever started this process counts the seconds, too
 * (rules/operations.md: stopping).
 */
export const stopMsMax = 18_000

/** Beside HANDOVER_SECONDS, for asking which other nodes there are. */
export const handoverGraceMs = 1_500

/** Time limit for answering requests made before a stop; slower ones are cut. */
export const drainMsMax = 3_000
/** Time for a module to report its own time-out, before it is left behind. */
export const drainGraceMs = 250
/** All modules of a platform stop within this time, one after the other … */
export const modulesStopMsMax = 5_000
/** … and one of them within this, so that one that hangs leaves time for the others. */
export const moduleStopMsMax = 3_000
/** Handlers of jobs that do not end keep no stop up: their jobs are taken up again after the start. */
export const jobsStopMsMax = 2_000
/** Time limit for committing machines' messages; the machines send the rest again. */
export const commitsStopMsMax = 2_000
/** A visit's look, and its writes. */
export const visitsStopMsMax = 1_000
/** A read of facts that hangs is given up. */
export const factsStopMsMax = 1_000

/** Time limit of each part of a stop, in ms. They follow one another, and their sum is below `stopMsMax`. */
export const stopBudget = {
  announcement: 250,
  metrics: 250,
  platform: drainMsMax + drainGraceMs + modulesStopMsMax,
  audit: 1_000,
  pools: 500,
  postgres: 7_500,
} as const

/** Waits for `work` to end, for `ms` at most; false if it has not. An error of it within that time is thrown. */
export async function endsWithin(ms: number, work: () => unknown): Promise<boolean> {
  const ended = (async () => {
    await work()
    return true
  })()
  // Too late for anybody to get it.
  ended.catch(() => {})
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), Math.max(ms, 0))
  try {
    return await Promise.race([ended, late])
  } finally {
    clearTimeout(timer)
  }
}
