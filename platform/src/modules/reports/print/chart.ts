import type { Trend } from '../report-data.ts'
import type { Writer } from '../report-words.ts'
import { ink, type Sheet } from './sheet.ts'

const labelSize = 7
const label = { size: labelSize, color: ink.soft } as const
const gapColor = '#e6e9ee'
const bandColor = '#cfe0f5'
const lineColor = '#1f6fbf'
const stateColors = ['#2f7d6b', '#c9a227', '#7a5ea8', '#b5563c', '#4a7fb5', '#8a8f98', '#96b04a', '#c07aa1']

/** Where a chart is drawn. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Span {
  readonly from: number
  readonly to: number
}

/** Numbers on an axis, at most `stepsMax` steps. */
function niceTicks(low: number, high: number, stepsMax: number): number[] {
  if (!(high > low)) return [low]
  const rough = (high - low) / stepsMax
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough * 0.999_999) ?? 10) * power
  const ticks: number[] = []
  for (let count = Math.ceil(low / step - 1e-9); count * step <= high + step * 1e-9; count++)
    ticks.push(Number((count * step).toPrecision(12)))
  return ticks
}

const stepsMs = [
  60_000, 300_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000, 14_400_000, 21_600_000, 43_200_000,
  86_400_000, 172_800_000, 345_600_000, 604_800_000,
]

/** Instants of an axis, counted on the clocks from its beginning. */
function timeTicks({ from, to }: Span, countMax: number): { ticks: number[]; step: number } {
  const step = stepsMs.find((one) => (to - from) / one <= countMax) ?? (to - from) / countMax
  const ticks: number[] = []
  for (let at = from; at <= to; at += step) ticks.push(at)
  return { ticks, step }
}

/** Draws a variable over a period: mean with its band, or states as a strip; gaps in grey, axes with units. */
export function drawTrend(sheet: Sheet, box: Box, trend: Trend, span: Span, writer: Writer): void {
  const isStates = trend.kind === 'states'
  const left = isStates ? 0 : 44
  const plot: Box = { x: box.x + left, y: box.y + 8, width: box.width - left - 4, height: box.height - 24 }
  const xOf = (at: number) =>
    plot.x + ((Math.min(Math.max(at, span.from), span.to) - span.from) / (span.to - span.from)) * plot.width
  for (const [from, to] of trend.gaps)
    if (to > span.from && from < span.to)
      sheet.rect(xOf(from), plot.y, Math.max(xOf(to) - xOf(from), 0.4), plot.height, gapColor)
  drawTimes(sheet, plot, span, writer, xOf)
  const values = trend.points.filter(([, value]) => value !== null)
  if (values.length === 0) {
    sheet.textCentred(writer.words.noData, plot.x + plot.width / 2, plot.y + plot.height / 2 + 3, label)
    return
  }
  if (isStates) drawStates(sheet, plot, trend, span, writer, xOf)
  else drawBand(sheet, plot, trend, writer, xOf)
}

function drawTimes(sheet: Sheet, plot: Box, span: Span, writer: Writer, xOf: (at: number) => number): void {
  const { ticks, step } = timeTicks(span, 8)
  const bottom = plot.y + plot.height
  sheet.line(plot.x, bottom, plot.x + plot.width, bottom, ink.faint, 0.6)
  for (const at of ticks) {
    const x = xOf(at)
    sheet.line(x, bottom, x, bottom + 2.5, ink.faint, 0.6)
    const text = step >= 86_400_000 ? writer.day(at).slice(5) : writer.clock(at)
    const half = sheet.width(text, label) / 2
    sheet.text(
      text,
      Math.min(Math.max(x - half, plot.x), plot.x + plot.width - 2 * half),
      bottom + 10.5,
      label,
    )
  }
}

function drawBand(sheet: Sheet, plot: Box, trend: Trend, writer: Writer, xOf: (at: number) => number): void {
  const [low, high] = rangeOf(trend)
  const ticks = niceTicks(low, high, 4)
  const yOf = (value: number) => plot.y + plot.height - ((value - low) / (high - low)) * plot.height
  for (const tick of ticks) {
    sheet.line(plot.x, yOf(tick), plot.x + plot.width, yOf(tick), ink.line, 0.5)
    const text = sheet.fit(formatTick(tick, ticks, writer), 40, label)
    sheet.textRight(text, plot.x - 4, yOf(tick) + 2.4, label)
  }
  for (const part of partsOf(trend)) {
    const band = part.flatMap(([at, value, , top]) => [xOf(at), yOf(top ?? (value as number))])
    const under = part
      .toReversed()
      .flatMap(([at, value, bottom]) => [xOf(at), yOf(bottom ?? (value as number))])
    sheet.area([...band, ...under], bandColor)
    const line = part.flatMap(([at, value]) => [xOf(at), yOf(value as number)])
    if (part.length > 1) sheet.path(line, lineColor, 0.9)
    else sheet.rect((line[0] ?? 0) - 0.8, (line[1] ?? 0) - 0.8, 1.6, 1.6, lineColor, 0.8)
  }
}

function formatTick(tick: number, ticks: readonly number[], writer: Writer): string {
  const step = Math.abs((ticks[1] ?? tick) - (ticks[0] ?? 0)) || Math.abs(tick) || 1
  if (Math.abs(tick) >= 1e6 || (tick !== 0 && Math.abs(tick) < 1e-3)) return tick.toExponential(1)
  const digits = Math.min(Math.max(-Math.floor(Math.log10(step) - 1e-9), 0), 6)
  return writer.value(tick, { digits: Number.isInteger(step) ? 0 : digits, words: {} })
}

/** From the least to the greatest, with room; a variable that did not move has its line in the middle. */
function rangeOf(trend: Trend): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [, value, least, greatest] of trend.points) {
    if (typeof value !== 'number') continue
    low = Math.min(low, least ?? value)
    high = Math.max(high, greatest ?? value)
  }
  if (!(high > low)) {
    const around = Math.abs(low) * 0.05 || 1
    return [low - around, low + around]
  }
  const room = (high - low) * 0.06
  return [low - room, high + room]
}

/** The stretches of a line: it ends at a point without a value and at a gap. */
function partsOf(trend: Trend): Trend['points'][] {
  const parts: Trend['points'][number][][] = []
  let part: Trend['points'][number][] = []
  let last = Number.NEGATIVE_INFINITY
  const close = () => {
    if (part.length > 0) parts.push(part)
    part = []
  }
  for (const point of trend.points) {
    const [at, value] = point
    const isApart = trend.gaps.some(([from, to]) => from >= last && to <= at && to > from)
    if (isApart || typeof value !== 'number') close()
    if (typeof value === 'number') part.push(point)
    last = at
  }
  close()
  return parts
}

function drawStates(
  sheet: Sheet,
  plot: Box,
  trend: Trend,
  span: Span,
  writer: Writer,
  xOf: (at: number) => number,
): void {
  const shown = new Map<string, string>()
  const strip = { y: plot.y + 14, height: plot.height - 18 }
  for (const [place, [at, value]] of trend.points.entries()) {
    if (value === null) continue
    const next = trend.points[place + 1]?.[0] ?? span.to
    const gap = trend.gaps.find(([from, to]) => to > at && from < next)
    const end = gap ? Math.max(Math.min(next, gap[0]), at) : next
    const text = writer.value(value, trend)
    let color = shown.get(text)
    if (color === undefined) {
      color = stateColors[Math.min(shown.size, stateColors.length - 1)] as string
      shown.set(text, color)
    }
    sheet.rect(xOf(at), strip.y, Math.max(xOf(end) - xOf(at), 0.4), strip.height, color)
  }
  let x = plot.x
  for (const [text, color] of [...shown].slice(0, stateColors.length)) {
    const word = sheet.fit(text, 110, label)
    const width = sheet.width(word, label) + 20
    if (x + width > plot.x + plot.width) break
    sheet.rect(x, plot.y + 1, 7, 7, color, 1.5)
    sheet.text(word, x + 10, plot.y + 7.2, label)
    x += width
  }
}
