import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { groupCommitLimits } from './commit-batch.ts'

/**
 * Decides how long the next batch gathers. A message costs less in a large batch: one read and one write of its
 * connection serve many. So batches grow while the event loop is busy; otherwise they are as short as a commit, and no
 * acknowledgement waits for others.
 */
export class GatherTime {
  readonly #read: () => EventLoopUtilization
  #before: EventLoopUtilization
  #busyMs = 0

  /** `read` gives the utilization of the event loop. */
  constructor(read: () => EventLoopUtilization = () => performance.eventLoopUtilization()) {
    this.#read = read
    this.#before = read()
  }

  /** After a commit that took so long. */
  next(tookMs: number): number {
    const { gatherMs, longCommitMs, busyGatherMsMax, busyHigh, busyLow } = groupCommitLimits
    const now = this.#read()
    const active = now.active - this.#before.active
    const busy = active / Math.max(active + now.idle - this.#before.idle, Number.EPSILON)
    this.#before = now
    if (busy > busyHigh) this.#busyMs = Math.min(this.#busyMs + gatherMs, busyGatherMsMax)
    else if (busy < busyLow) this.#busyMs = Math.max(0, this.#busyMs - 2 * gatherMs)
    return Math.max(tookMs < longCommitMs ? gatherMs : 0, this.#busyMs)
  }
}
