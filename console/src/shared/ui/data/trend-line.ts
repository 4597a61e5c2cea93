import type { TrendPoint } from './trend-series.ts'

/** One curve with what the chart has to know of it. */
export interface TrendLine {
  readonly key: number
  readonly name: string
  readonly unit: string
  /** 1 to 6: `--chart-n`. */
  readonly colour: number
  readonly stepped: boolean
  /** Limits of the variable, drawn where they are near its values; null where it has none. */
  readonly min: number | null
  readonly max: number | null
  /** Its points are samples, and drawn as points where there is room. */
  readonly dots?: boolean
  /** Width of an average in milliseconds; 0 where the points are samples. */
  readonly intervalMs: number
  readonly points: readonly TrendPoint[]
}
