import { createRandom } from '../../simulator/src/random.ts'

/** A value at a time, in seconds. */
export interface Point {
  readonly s: number
  readonly value: number
}

export interface Trend {
  readonly median: number
  /** Per hour, as a part of the median: the Theil–Sen slope and its 95 % interval by bootstrap. */
  readonly perHour: number
  readonly low: number
  readonly high: number
}

const samples = 500
const secondsPerHour = 3_600

/** The trend of the last two thirds: the first third contains the cost of the start. */
export function measureTrend(points: readonly Point[]): Trend {
  const settled = points.slice(Math.floor(points.length / 3))
  const mid = median(settled.map(({ value }) => value))
  const random = createRandom(1)
  const slopes = Array.from({ length: samples }, () =>
    theilSen(settled.map(() => settled[Math.floor(random() * settled.length)] as Point)),
  )
    .filter((slope) => !Number.isNaN(slope))
    .sort((a, b) => a - b)
  const relative = (slope: number | undefined) => ((slope ?? Number.NaN) * secondsPerHour) / (mid || 1)
  return {
    median: mid,
    perHour: relative(theilSen(settled)),
    low: relative(slopes[Math.floor(slopes.length * 0.025)]),
    high: relative(slopes[Math.ceil(slopes.length * 0.975) - 1]),
  }
}

/** A figure that grows by a fifth in an hour has doubled within a shift. */
export const growthPerHourMax = 0.2

/**
 * Flat within noise: it grows by less than `growthPerHourMax`, or its growth cannot be told from noise, that
 * is, the interval contains zero. Falling is allowed.
 */
export const isFlat = ({ perHour, low }: Trend): boolean => perHour <= growthPerHourMax || low <= 0

/** The median of the slopes of all pairs: a few outliers do not move it. */
function theilSen(points: readonly Point[]): number {
  const slopes: number[] = []
  for (let i = 0; i < points.length; i++) {
    for (let j = i + 1; j < points.length; j++) {
      const [a, b] = [points[i] as Point, points[j] as Point]
      if (a.s !== b.s) slopes.push((b.value - a.value) / (b.s - a.s))
    }
  }
  return median(slopes)
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  const [high = Number.NaN, low = high] = [sorted[half], sorted[half - 1]]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}
