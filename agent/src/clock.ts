import { uptime } from 'node:os'

/** Time, handed in so that a test can be its own clock. */
export interface Clock {
  /** Wall clock, epoch ms. May jump: small machines set theirs after the start. */
  now(): number
  /** Milliseconds since some moment, never backwards. Use this clock for intervals. */
  monotonic(): number
  /**
   * Milliseconds since the computer's boot, to about 10 ms, including sleep; unaffected by changes of the
   * wall clock and restarts of the agent. Wall clock minus this changes only when the wall clock is set.
   */
  uptime(): number
  /** Runs once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  // In a container `uptime` may be the container's age; the timer's clock runs from the boot, but not while
  // the computer sleeps.
  uptime: () => Math.max(uptime() * 1_000, Number(process.hrtime.bigint() / 1_000_000n)),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}
