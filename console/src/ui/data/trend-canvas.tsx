import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatClock, formatDay, formatShortClock } from '../../i18n/index.ts'
import css from './trend-chart.module.css'
import type { TrendLine } from './trend-chart.tsx'
import { alignCurves, assignScales, mergeGaps, padRange, type TimeRange } from './trend-series.ts'

interface TrendCanvasProps {
  lines: readonly TrendLine[]
  gaps: readonly TimeRange[]
  range: TimeRange
  band: boolean
  height: number
  /** A change of theme or language draws it anew. */
  theme: string
  lang: string
  gapWord: string
  onCursor: (at: number | null) => void
}

const axisFont = '11px "Inter Variable", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif'
const dayMs = 86_400_000
const minuteMs = 60_000
/** Steps of the time axis; the drawing's own leave 2 minutes and 2, 4 and 8 hours out. */
const timeStepsMs = [
  ...[1, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 6, 8, 12, 24].map((hours) => hours * 60 * minuteMs),
]
/** Narrower gaps are drawn but have no word. */
const gapWordWidthMin = 44

/** The drawing itself; loaded when a chart is first shown. */
export default function TrendCanvas(props: TrendCanvasProps) {
  const { lines, gaps, range, band, height, theme, lang } = props
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  // The plot's hooks read the newest props without the plot being made anew.
  const now = useRef(props)
  now.current = props

  const structure = JSON.stringify([
    lines.map(({ key, unit, colour, stepped }) => [key, unit, colour, stepped]),
    band,
    theme,
    lang,
    height,
  ])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `structure` is everything the plot's make-up depends on
  useEffect(() => {
    const element = box.current
    if (!element) return
    const made = new uPlot(optionsOf(element, now), [[]], element)
    plot.current = made
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) made.setSize({ width: element.clientWidth, height: now.current.height })
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [structure])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a plot made anew needs its data as well
  useEffect(() => {
    const curves = lines.map(({ points, stepped }) => ({ points, stepped }))
    const aligned = alignCurves(curves, mergeGaps(gaps, range))
    plot.current?.batch(() => {
      plot.current?.setData(aligned as unknown as uPlot.AlignedData, false)
      plot.current?.setScale('x', { min: range.from, max: range.to })
    })
  }, [lines, gaps, range, structure])

  return <div ref={box} className={css.canvas} style={{ height }} />
}

type Now = { readonly current: TrendCanvasProps }

function optionsOf(element: HTMLElement, now: Now): uPlot.Options {
  const { lines, band, height } = now.current
  const styles = getComputedStyle(element)
  const colour = (name: string) => styles.getPropertyValue(name).trim()
  const grid = { stroke: colour('--grid'), width: 1 }
  const { scaleOf, units } = assignScales(lines.map((line) => line.unit))

  const series: uPlot.Series[] = [{}]
  const bands: uPlot.Band[] = []
  lines.forEach((line, index) => {
    const scale = `y${scaleOf[index]}`
    const stroke = colour(`--chart-${line.colour}`)
    const paths = line.stepped ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.()
    const place = series.push({
      scale,
      stroke,
      width: 1.5,
      points: { show: false, filter: lonelyPlaces, size: 4, fill: stroke, stroke },
      ...(paths ? { paths } : {}),
      // One soft ground is enough to say which line leads; two would hide each other.
      ...(index === 0 && !band ? { fill: (plot) => ground(plot, stroke) } : {}),
    })
    const edge: uPlot.Series = { scale, width: 0, points: { show: false }, ...(paths ? { paths } : {}) }
    series.push(edge, { ...edge })
    if (band) bands.push({ series: [place + 1, place], fill: withAlpha(stroke, 0.14) })
  })

  const axis = { stroke: colour('--text3'), font: axisFont, ticks: { show: false }, grid }
  const yAxes = units.slice(0, 2).map(
    (_, place): uPlot.Axis => ({
      ...axis,
      scale: `y${place}`,
      side: place === 0 ? 3 : 1,
      size: (plot, values) => axisWidth(plot, values),
      gap: 8,
      space: 36,
      grid: place === 0 ? grid : { show: false },
      values: (_plot, splits, _axis, _space, step) => splits.map((split) => formatSplit(split, step)),
    }),
  )

  return {
    width: Math.max(element.clientWidth, 1),
    height,
    ms: 1,
    padding: [8, units.length > 1 ? 0 : 12, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      // The edges of a band follow the pointer too; only lines get a dot.
      points: {
        size: (_plot, place) => ((place - 1) % 3 === 0 ? 7 : 0),
        width: 2,
        stroke: () => colour('--surface'),
      },
    },
    scales: {
      x: { time: true, auto: false, range: () => [now.current.range.from, now.current.range.to] },
      ...Object.fromEntries(
        units.map((_, place) => [
          `y${place}`,
          { auto: true, range: (_plot: uPlot, min: number | null, max: number | null) => padRange(min, max) },
        ]),
      ),
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        gap: 6,
        space: 58,
        incrs: timeStepsMs,
        values: (_plot, splits, _axis, _space, step) => splits.map((split) => formatTimeSplit(split, step)),
      },
      ...yAxes,
    ],
    series,
    bands,
    hooks: {
      drawClear: [(plot) => drawGaps(plot, now, colour)],
      setCursor: [(plot) => reportCursor(plot, now)],
    },
  }
}

/** Points are drawn only where a line cannot show them: alone between two gaps. */
function lonelyPlaces(plot: uPlot, seriesIndex: number): number[] | null {
  const values = plot.data[seriesIndex] ?? []
  const alone: number[] = []
  let run: number[] = []
  const end = () => {
    const [only] = run
    if (run.length === 1 && only !== undefined) alone.push(only)
    run = []
  }
  values.forEach((value, index) => {
    if (value === null) end()
    else if (value !== undefined) run.push(index)
  })
  end()
  return alone.length > 0 ? alone : null
}

function ground(plot: uPlot, stroke: string): CanvasGradient {
  const gradient = plot.ctx.createLinearGradient(0, plot.bbox.top, 0, plot.bbox.top + plot.bbox.height)
  gradient.addColorStop(0, withAlpha(stroke, 0.16))
  gradient.addColorStop(1, withAlpha(stroke, 0))
  return gradient
}

/** A brand's accent may be any CSS colour: the browser mixes. */
function withAlpha(colour: string, alpha: number): string {
  return `rgb(from ${colour} r g b / ${alpha})`
}

/** Times in which the machine was away: a quiet ground and, where it fits, the word. */
function drawGaps(plot: uPlot, now: Now, colour: (name: string) => string): void {
  const { gaps, range, gapWord } = now.current
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  ctx.save()
  for (const gap of mergeGaps(gaps, range)) {
    const left = Math.max(plot.valToPos(gap.from, 'x', true), bbox.left)
    const width = Math.min(plot.valToPos(gap.to, 'x', true), bbox.left + bbox.width) - left
    if (width <= 0) continue
    ctx.fillStyle = colour('--off-bg')
    ctx.fillRect(left, bbox.top, width, bbox.height)
    if (width < gapWordWidthMin * ratio) continue
    ctx.fillStyle = colour('--off-text')
    ctx.font = axisFont.replace('11px', `${11 * ratio}px`)
    ctx.textAlign = 'center'
    ctx.textBaseline = 'top'
    ctx.fillText(gapWord, left + width / 2, bbox.top + 6 * ratio)
  }
  ctx.restore()
}

function reportCursor(plot: uPlot, now: Now): void {
  const { left } = plot.cursor
  const at = left === undefined || left === null || left < 0 ? null : plot.posToVal(left, 'x')
  now.current.onCursor(at)
}

function axisWidth(plot: uPlot, values: readonly string[] | null): number {
  if (!values?.length) return 32
  plot.ctx.save()
  plot.ctx.font = axisFont
  const widest = Math.max(...values.map((value) => plot.ctx.measureText(value).width))
  plot.ctx.restore()
  return Math.ceil(Math.max(widest, 16)) + 12
}

function formatSplit(value: number, step: number): string {
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

function formatTimeSplit(at: number, stepMs: number): string {
  if (stepMs < minuteMs) return formatClock(at)
  const date = new Date(at)
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
  return isMidnight || stepMs >= dayMs ? formatDay(at) : formatShortClock(at)
}
