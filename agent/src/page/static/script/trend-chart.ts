import type { TagView } from '../../page-api.ts'
import { formatNumber, formatTime } from './format.ts'
import { texts } from './texts.ts'
import type { TrendSeries } from './trend-series.ts'
import { extremes, niceTicks } from './trend-series.ts'

export interface ChartState {
  tag: TagView
  series: TrendSeries
  windowMs: number
  /** Position of the pointer, from 0 (oldest) to 1; null while it is outside. */
  cursor: number | null
}

const padding = { top: 12, right: 12, bottom: 24, left: 12 }
const tickFont = '11px system-ui, sans-serif'
/** Noise in the fourth digit should look flat: the axis spans at least this part of the value. */
const rangeOfMeanMin = 0.02

/** Draws the last hour: the band between least and greatest, so that a peak of one sample is seen. */
export function drawChart(canvas: HTMLCanvasElement, { tag, series, windowMs, cursor }: ChartState): void {
  const context = canvas.getContext('2d')
  const { clientWidth: width, clientHeight: height } = canvas
  if (context === null || width === 0) return
  const ratio = window.devicePixelRatio || 1
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  context.font = tickFont
  const style = getComputedStyle(canvas)
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim()

  const points = series.window(windowMs)
  const range = axisRange(tag, extremes(points))
  const ticks = tag.kind === 'bool' ? [0, 1] : niceTicks(range.low, range.high, Math.max(2, height / 45))
  const labels = ticks.map((tick) => tickLabel(tag, tick, ticks))
  const left = padding.left + Math.max(...labels.map((label) => context.measureText(label).width), 20) + 8
  const plotWidth = width - left - padding.right
  const plotHeight = height - padding.top - padding.bottom
  const x = (index: number): number => left + ((index + 1) / points.min.length) * plotWidth
  const y = (value: number): number =>
    padding.top + (1 - (value - range.low) / (range.high - range.low)) * plotHeight

  context.textBaseline = 'middle'
  context.textAlign = 'right'
  context.lineWidth = 1
  ticks.forEach((tick, index) => {
    const at = Math.round(y(tick)) + 0.5
    context.strokeStyle = color('grid')
    line(context, left, at, width - padding.right, at)
    context.fillStyle = color('text3')
    context.fillText(labels[index] ?? '', left - 8, at)
  })
  drawTimes(context, { series, windowMs, left, plotWidth, height }, color)

  context.strokeStyle = color('accent')
  context.lineWidth = 1.5
  context.lineJoin = 'round'
  context.beginPath()
  let previous: number | null = null
  points.min.forEach((min, index) => {
    const max = points.max[index] ?? null
    if (min === null || max === null) {
      // A gap stays a gap.
      previous = null
      return
    }
    const [near, far]: [number, number] =
      previous !== null && Math.abs(previous - max) < Math.abs(previous - min) ? [max, min] : [min, max]
    if (previous === null) context.moveTo(x(index) - plotWidth / points.min.length, y(near))
    context.lineTo(x(index), y(near))
    if (far !== near) context.lineTo(x(index), y(far))
    previous = far
  })
  context.stroke()

  if (cursor === null) return
  const at = Math.round(left + cursor * plotWidth) + 0.5
  context.strokeStyle = color('text3')
  context.lineWidth = 1
  line(context, at, padding.top, at, height - padding.bottom)
}

/** Which part of the window a place on the canvas is: 0 to 1. Needs the same left edge as the drawing. */
export function cursorAt(canvas: HTMLCanvasElement, clientX: number, state: ChartState): number {
  const { left, width } = canvas.getBoundingClientRect()
  const context = canvas.getContext('2d')
  const range = axisRange(state.tag, extremes(state.series.window(state.windowMs)))
  const ticks =
    state.tag.kind === 'bool'
      ? [0, 1]
      : niceTicks(range.low, range.high, Math.max(2, canvas.clientHeight / 45))
  if (context !== null) context.font = tickFont
  const labels = ticks.map((tick) => context?.measureText(tickLabel(state.tag, tick, ticks)).width ?? 0)
  const plotLeft = padding.left + Math.max(...labels, 20) + 8
  return Math.min(1, Math.max(0, (clientX - left - plotLeft) / (width - plotLeft - padding.right)))
}

function axisRange(tag: TagView, found: { low: number; high: number } | null): { low: number; high: number } {
  if (tag.kind === 'bool') return { low: -0.15, high: 1.15 }
  if (found === null)
    return {
      low: tag.min ?? 0,
      high: tag.max !== null && tag.max > (tag.min ?? 0) ? tag.max : (tag.min ?? 0) + 1,
    }
  const middle = (found.low + found.high) / 2
  const least = Math.max(Math.abs(middle) * rangeOfMeanMin, 4 * 10 ** -(tag.scale ?? 2))
  const half = (Math.max(found.high - found.low, least) / 2) * 1.08
  return { low: middle - half, high: middle + half }
}

function tickLabel(tag: TagView, tick: number, ticks: readonly number[]): string {
  if (tag.kind === 'bool') return tick === 1 ? texts().on : texts().off
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0))
  const scale = Math.min(8, Math.max(0, -Math.floor(Math.log10(step || 1) + 1e-9)))
  return formatNumber({ scale }, tick)
}

interface TimeAxis {
  series: TrendSeries
  windowMs: number
  left: number
  plotWidth: number
  height: number
}

function drawTimes(
  context: CanvasRenderingContext2D,
  { series, windowMs, left, plotWidth, height }: TimeAxis,
  color: (name: string) => string,
): void {
  const stepMs = (windowMs > 1_800_000 ? 10 : 2) * 60_000 * (plotWidth < 360 ? 2 : 1)
  const beginAt = series.endAt - windowMs
  context.fillStyle = color('text3')
  context.textAlign = 'center'
  for (let at = Math.ceil(beginAt / stepMs) * stepMs; at <= series.endAt; at += stepMs) {
    const place = left + ((at - beginAt) / windowMs) * plotWidth
    // A label at the edge would be cut off.
    if (place < left + 14 || place > left + plotWidth - 14) continue
    context.fillText(formatTime(at, at, false), place, height - padding.bottom / 2 + 2)
  }
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath()
  context.moveTo(x1, y1)
  context.lineTo(x2, y2)
  context.stroke()
}
