import type uPlot from 'uplot'
import { formatClock, formatDay, formatShortClock, wallOf } from '../../i18n/index.ts'

export const axisFont =
  '11px "Inter Variable", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif'

const secondMs = 1_000
const minuteMs = 60_000
const dayMs = 86_400_000
/** Steps of the time axis; the drawing's own leave 2 minutes and 2, 4 and 8 hours out. */
export const timeStepsMs = [
  ...[100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 6, 8, 12].map((hours) => hours * 60 * minuteMs),
  ...[1, 2, 3, 5, 7, 10, 14, 30].map((days) => days * dayMs),
]

/** The label of a mark on the time axis: the day at midnight, the clock in between, tenths at close range. */
export function formatTimeSplit(at: number, stepMs: number): string {
  if (stepMs < secondMs) return `${formatClock(at).slice(-5)}.${Math.floor((at % secondMs) / 100)}`
  if (stepMs < minuteMs) return formatClock(at)
  const wall = wallOf(at)
  const isMidnight = wall.getUTCHours() === 0 && wall.getUTCMinutes() === 0
  return isMidnight || stepMs >= dayMs ? formatDay(at) : formatShortClock(at)
}

export function formatSplit(value: number, step: number): string {
  return value.toFixed(digitsOf(step)).replace('-', '\u2212')
}

const digitsMax = 10

/** Decimal places that show a step as it is: one for 2.5, none for 20. */
function digitsOf(step: number): number {
  for (let digits = 0; digits < digitsMax; digits++) {
    const shifted = step * 10 ** digits
    if (Math.abs(shifted - Math.round(shifted)) < 1e-6) return digits
  }
  return digitsMax
}

/** Between the labels of a vertical axis and the curves, in pixels. */
export const axisGap = 8
const axisEdge = 4
const axisWidthMin = 32
/** A longer unit is cut; the legend has it whole. */
const unitWidthMax = 64

/** Room for the labels of a vertical axis and for the unit over them; `measure` gives the width of a text. */
export function axisWidth(
  measure: (text: string) => number,
  values: readonly string[],
  unit: string,
): number {
  const widest = Math.max(...values.map(measure), Math.min(measure(unit), unitWidthMax))
  return Math.max(Math.ceil(widest) + axisGap + axisEdge, axisWidthMin)
}

/** A unit as it stands over its axis: cut where it is longer than the axis makes room for. */
export function fitUnit(measure: (text: string) => number, unit: string): string {
  if (measure(unit) <= unitWidthMax) return unit
  let kept = unit
  while (kept && measure(`${kept}…`) > unitWidthMax) kept = kept.slice(0, -1)
  return `${kept}…`
}

/** Measures texts in the font of the axes, in CSS pixels. */
export function textMeasure({ ctx }: uPlot): (text: string) => number {
  return (text) => {
    ctx.save()
    ctx.font = axisFont
    const { width } = ctx.measureText(text)
    ctx.restore()
    return width
  }
}
