/** One call of a bulk act, and its devices. */
export interface BulkStep {
  readonly ids: readonly number[]
  readonly run: () => Promise<unknown>
}

export interface BulkResult {
  /** The errors of the devices whose call was refused, by their ids. */
  readonly failed: ReadonlyMap<number, unknown>
  /** Devices that were not started, because the run was stopped. */
  readonly notStarted: ReadonlySet<number>
}

/** Number of concurrent calls, so that the platform also answers others. */
const atOnce = 4

/** Makes all calls, a few at a time; a failure does not stop the others. After `signal` no further one begins. */
export async function runBulk(
  steps: readonly BulkStep[],
  onStep: (done: number) => void,
  signal: AbortSignal,
): Promise<BulkResult> {
  const failed = new Map<number, unknown>()
  let next = 0
  let done = 0
  const work = async () => {
    while (!signal.aborted) {
      const step = steps[next++]
      if (!step) return
      try {
        await step.run()
      } catch (error) {
        for (const id of step.ids) failed.set(id, error)
      }
      onStep(++done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const left = steps.slice(next).flatMap(({ ids }) => ids)
  return { failed, notStarted: new Set(left.filter((id) => !failed.has(id))) }
}
