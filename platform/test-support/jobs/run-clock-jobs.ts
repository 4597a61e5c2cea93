import type { ClockJob } from '../../src/kernel/jobs/index.ts'

/** Runs clock jobs once, one after the other, as if they were due at `now` (epoch milliseconds). */
export async function runClockJobs(jobs: readonly ClockJob[], now: number): Promise<void> {
  const { signal } = new AbortController()
  for (const job of jobs) await job.run({ signal, now, previous: undefined })
}
