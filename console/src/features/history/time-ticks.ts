import { timeStepsMs } from '../../ui/data/trend-axes.ts'
import type { TimeRange } from '../../ui/data/trend-series.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export interface TimeTicks {
  readonly stepMs: number
  readonly times: readonly number[]
}

/** Round times of the browser's zone within a range, no nearer to one another than `leastMs`. */
export function timeTicks({ from, to }: TimeRange, leastMs: number): TimeTicks {
  const stepMs = timeStepsMs.find((step) => step >= leastMs) ?? timeStepsMs.at(-1) ?? dayMs
  const times: number[] = []
  for (let at = firstTick(from, stepMs); at <= to; at = nextTick(at, stepMs)) if (at >= from) times.push(at)
  return { stepMs, times }
}

function firstTick(from: number, stepMs: number): number {
  const midnight = new Date(from).setHours(0, 0, 0, 0)
  // Days are counted from a fixed one, so that they stay where they are while one moves.
  if (stepMs >= dayMs) {
    const days = Math.round(midnight / dayMs)
    return addDays(midnight, -(days % (stepMs / dayMs)))
  }
  return midnight + Math.floor((from - midnight) / stepMs) * stepMs
}

/** A day is not always 24 hours, and an hour of the clock not always the next one. */
function nextTick(at: number, stepMs: number): number {
  if (stepMs >= dayMs) return addDays(at, stepMs / dayMs)
  if (stepMs < hourMs) return at + stepMs
  const date = new Date(at)
  const next = new Date(date).setHours(date.getHours() + stepMs / hourMs)
  return next > at ? next : at + stepMs
}

function addDays(at: number, days: number): number {
  const date = new Date(at)
  return date.setDate(date.getDate() + days)
}
