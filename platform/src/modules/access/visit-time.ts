import { access as contract, limits } from '@busbar/contract'

export const minuteMs = 60_000

/** Whether a visit time is over; null means no expiry. */
export const isOver = (until: Date | null, now: number): boolean => until !== null && until.getTime() <= now

/** A visit time as it travels: -1 forever, 0 over, otherwise the epoch milliseconds of its end. */
export function presentVisitTime(until: Date | null, now: number): number {
  if (until === null) return contract.visitTimes.forever
  return isOver(until, now) ? contract.visitTimes.over : until.getTime()
}

/**
 * The end a key chose for a visit time; undefined when it is not between ten minutes and ten years ahead
 * (rules/access.md: visit time).
 */
export function parseVisitTime(visitTime: number, now: number): { until: Date | null } | undefined {
  if (visitTime === contract.visitTimes.forever) return { until: null }
  const aheadMs = visitTime - now
  const isFit = aheadMs >= limits.visitMinutesMin * minuteMs && aheadMs <= limits.visitMinutesMax * minuteMs
  return isFit ? { until: new Date(visitTime) } : undefined
}
