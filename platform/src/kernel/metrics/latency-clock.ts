const ticksPerMs = 10

/**
 * A moment in tenths of a millisecond, as an integer of 32 bits: kept with each message on its way it costs no memory
 * of its own. Only differences are meaningful.
 */
export function readTicks(): number {
  return (performance.now() * ticksPerMs) | 0
}

/** Seconds since `ticks`; right for some two days, however often the number has wrapped. */
export function secondsSince(ticks: number): number {
  return ((readTicks() - ticks) | 0) / (ticksPerMs * 1_000)
}
