import type { Gap } from './trend-gaps.ts'
import type { TrendPoint } from './trend-series.ts'

/** A limit that a rule for alarms sets. */
export interface RuleLimit {
  readonly at: number
  /** The value at which the alarm clears; equal to the limit if there is no dead band. */
  readonly back: number
  /** Severity of the alarm it raises, which decides its colour. */
  readonly tone: 'crit' | 'warn' | 'off'
  /** Stands at its end: "> 80". */
  readonly label: string
  /** The axis always contains it, however far the values are. */
  readonly isWanted?: boolean
}

/** One curve with the data that the chart needs for it. */
export interface TrendLine {
  /** Tells it from the others of a chart. */
  readonly key: string
  readonly name: string
  readonly unit: string
  /** 1 to 6: `--chart-n`. */
  readonly colour: number
  /** Of an earlier period: paler and dashed, without a band. */
  readonly faint?: boolean
  readonly stepped: boolean
  /** Limits of the variable, drawn where they are near its values; null if it has none. */
  readonly min: number | null
  readonly max: number | null
  /** Limits that rules for alarms set. */
  readonly ruleLimits?: readonly RuleLimit[]
  /** Its points are samples, and drawn as points where there is room. */
  readonly dots?: boolean
  /** Width of an average in milliseconds; 0 where the points are samples. */
  readonly intervalMs: number
  readonly points: readonly TrendPoint[]
  /** The gaps of its machine. */
  readonly gaps: readonly Gap[]
}
