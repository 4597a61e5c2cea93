import type { TrendView } from '../../page-api.ts'

type Points = (number | null)[]

/** One tag's last hour, continued by the stream. Times by the agent's clock, epoch ms. */
export class TrendSeries {
  readonly stepMs: number
  readonly min: Points
  readonly max: Points
  /** The end of the newest point. */
  endAt: number

  constructor(view: TrendView) {
    this.stepMs = view.stepMs
    this.endAt = view.now
    this.min = view.series[0]?.min ?? []
    this.max = view.series[0]?.max ?? []
  }

  /** Null is a moment without a good value. */
  add(value: number | null, at: number): void {
    while (at - this.endAt >= this.stepMs) {
      this.endAt += this.stepMs
      this.min.shift()
      this.max.shift()
      this.min.push(null)
      this.max.push(null)
    }
    if (value === null) return
    const last = this.min.length - 1
    this.min[last] = Math.min(this.min[last] ?? value, value)
    this.max[last] = Math.max(this.max[last] ?? value, value)
  }

  /** The points of the last `windowMs`, oldest first. */
  window(windowMs: number): { min: Points; max: Points } {
    const count = Math.min(this.min.length, Math.round(windowMs / this.stepMs))
    return { min: this.min.slice(-count), max: this.max.slice(-count) }
  }
}

/** Minimum and maximum of all points; null if there are none. */
export function extremes(points: { min: Points; max: Points }): { low: number; high: number } | null {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of points.min) if (value !== null) low = Math.min(low, value)
  for (const value of points.max) if (value !== null) high = Math.max(high, value)
  return low <= high ? { low, high } : null
}

/** Round numbers between two values, about `count` of them. */
export function niceTicks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const ticks: number[] = []
  for (let index = Math.ceil(low / step); index * step <= high; index++) {
    ticks.push(Number((index * step).toPrecision(12)))
  }
  return ticks
}
