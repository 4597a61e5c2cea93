import type { TimeRange } from '../../../shared/ui/data/time-range.ts'

const aroundMs = 600_000

/** Ten minutes before an alarm was raised until ten minutes after it. */
export function spanAround(raisedAt: number): TimeRange {
  return { from: raisedAt - aroundMs, to: raisedAt + aroundMs }
}
