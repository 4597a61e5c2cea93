import { instantOf, startOfDay, wallOf } from '../../shared/i18n/index.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { timeStepsMs } from '../../shared/ui/data/trend-axes.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export interface TimeTicks {
  readonly stepMs: number
  readonly times: readonly number[]
}

/** Round times of the zone on screen within a range, no nearer to one another than `leastMs`. */
export function timeTicks({ from, to }: TimeRange, leastMs: number): TimeTicks {
  const stepMs = timeStepsMs.find((step) => step >= leastMs) ?? timeStepsMs.at(-1) ?? dayMs
  const times: number[] = []
  for (let at = firstTick(from, stepMs); at <= to; at = nextTick(at, stepMs)) if (at >= from) times.push(at)
  return { stepMs, times }
}

function firstTick(from: number, stepMs: number): number {
  const midnight = startOfDay(from)
  // Days are counted from a fixed one, so that they stay in place while the chart moves.
  if (stepMs >= dayMs) {
    const days = Math.round(midnight / dayMs)
    return startOfDay(midnight, -(days % (stepMs / dayMs)))
  }
  return midnight + Math.floor((from - midnight) / stepMs) * stepMs
}

/** A day is not always 24 hours, and an hour of the clock not always the next one. */
function nextTick(at: number, stepMs: number): number {
  if (stepMs >= dayMs) return startOfDay(at, stepMs / dayMs)
  if (stepMs < hourMs) return at + stepMs
  const next = instantOf(wallOf(at).getTime() + stepMs)
  return next > at ? next : at + stepMs
}
