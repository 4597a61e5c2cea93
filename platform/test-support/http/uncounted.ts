import type { RateCounters } from '../../src/kernel/http/rate-counters.ts'

/** Counters that let every call pass, for suites that make more of them than the limits allow. */
export const uncounted: RateCounters = {
  take: async () => undefined,
  giveBack: async () => undefined,
  takeMark: async () => false,
  putMark: async () => undefined,
}
