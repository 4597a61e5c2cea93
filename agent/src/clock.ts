/** Time, handed in so that a test can be its own clock. */
export interface Clock {
  /** Wall clock, epoch ms. May jump: small machines set theirs after the start. */
  now(): number
  /** Ms since some moment, never backwards. Intervals are measured with this one. */
  monotonic(): number
  /** Runs once after `delayMs`; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}
