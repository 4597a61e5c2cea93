import { useEffect, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import { formatNumber } from '../../i18n/format-number.ts'
import { Box } from '../layout/layout.tsx'
import 'uplot/dist/uPlot.min.css'
import type { TimeRange } from './time-range.ts'
import {
  axisFont,
  axisGap,
  axisWidth,
  formatSplit,
  formatTimeSplit,
  textMeasure,
  timeStepsMs,
} from './trend-axes.ts'
import css from './trend-chart.module.css'
import {
  drawGaps,
  drawLimits,
  drawRuleLimits,
  drawSamples,
  drawSpans,
  drawUnits,
  lonelyPlaces,
  type TrendWords,
  withAlpha,
} from './trend-drawing.ts'
import { gapsLeftBy } from './trend-gaps.ts'
import type { TrendLine } from './trend-line.ts'
import { alignCurves, assignScales, mergeGaps, rangeWithLimits } from './trend-series.ts'

/** The position of the lines within a canvas, in CSS pixels. */
export interface PlotPlace {
  readonly left: number
  readonly width: number
}

interface TrendCanvasProps {
  lines: readonly TrendLine[]
  range: TimeRange
  /** Times that stand out: in them an alarm stood. */
  spans?: readonly TimeRange[] | undefined
  band: boolean
  height: number
  /** A change of theme or language draws it again. */
  theme: string
  lang: string
  words: TrendWords
  /** Left out if the layer above it follows the pointer. */
  onCursor?: ((at: number | null) => void) | undefined
  /** Only the last of several stacked charts has the times. */
  times?: boolean
  /** Draws the unit of each axis at its top. */
  units?: boolean
  /** The least room for the labels at the left: charts over one another begin at one line. */
  axisMin?: number
  onPlace?: ((place: PlotPlace, plot: uPlot) => void) | undefined
}

/** The drawing itself; loaded when a chart is first shown. */
export default function TrendCanvas(props: TrendCanvasProps) {
  const { lines, range, band, height, theme, lang, times = true, axisMin = 0 } = props
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  // The plot's hooks read the newest props without a new plot.
  const now = useRef(props)
  now.current = props

  const structure = JSON.stringify([
    lines.map(({ key, unit, colour, stepped, dots, faint }) => [key, unit, colour, stepped, dots, faint]),
    band,
    theme,
    lang,
    times,
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

  // Another range of the same lines needs no new columns.
  const aligned = useMemo(() => alignCurves(lines), [lines])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot needs its data as well
  useEffect(() => {
    // The plot draws both at once, after the effects of the page: its request is on its way meanwhile.
    plot.current?.setData(aligned as unknown as uPlot.AlignedData, false)
    plot.current?.setScale('x', { min: range.from, max: range.to })
  }, [aligned, range, structure])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the plot reads them itself
  useEffect(() => plot.current?.redraw(false, true), [axisMin, props.spans])

  return <Box ref={box} wide className={css.canvas} style={{ height }} />
}

type Now = { readonly current: TrendCanvasProps }

function optionsOf(element: HTMLElement, now: Now): uPlot.Options {
  const { lines, band, height, times = true, onCursor } = now.current
  const styles = getComputedStyle(element)
  const colour = (name: string) => styles.getPropertyValue(name).trim()
  const grid = { stroke: colour('--grid'), width: 1 }
  const { scaleOf, units } = assignScales(lines.map((line) => line.unit))

  const series: uPlot.Series[] = [{}]
  const bands: uPlot.Band[] = []
  lines.forEach((line, index) => {
    const scale = `y${scaleOf[index]}`
    const full = colour(`--chart-${line.colour}`)
    const stroke = line.faint ? withAlpha(full, 0.55) : full
    const paths = line.stepped ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.()
    const place = series.push({
      scale,
      stroke,
      width: 1.5,
      ...(line.faint ? { dash: [5, 4] } : {}),
      points: { show: false, filter: lonelyPlaces, size: 4, fill: stroke, stroke },
      ...(paths ? { paths } : {}),
      // One soft ground is enough to say which line leads; two would hide each other.
      ...(index === 0 && !band ? { fill: (plot) => ground(plot, stroke) } : {}),
    })
    // A single outlier among thousands of samples is a hair-thin band: its edge has to be visible.
    const hasBand = band && !line.faint
    const rim = hasBand ? { width: 1, stroke: withAlpha(stroke, 0.3) } : { width: 0 }
    const edge: uPlot.Series = { scale, ...rim, points: { show: false }, ...(paths ? { paths } : {}) }
    series.push(edge, { ...edge })
    if (hasBand) bands.push({ series: [place + 1, place], fill: withAlpha(stroke, 0.14) })
  })

  const axis = { stroke: colour('--text3'), font: axisFont, ticks: { show: false }, grid }
  const yAxes = units.slice(0, 2).map(
    (_, place): uPlot.Axis => ({
      ...axis,
      scale: `y${place}`,
      side: place === 0 ? 3 : 1,
      size: (plot, values) => {
        const unit = now.current.units ? (units[place] ?? '') : ''
        const width = axisWidth(textMeasure(plot), values ?? [], unit)
        return Math.max(width, place === 0 ? (now.current.axisMin ?? 0) : 0)
      },
      gap: axisGap,
      space: 36,
      grid: place === 0 ? grid : { show: false },
      values: (_plot, splits, _axis, _space, step) => splits.map((split) => formatSplit(split, step)),
    }),
  )

  return {
    width: Math.max(element.clientWidth, 1),
    height,
    ms: 1,
    padding: [now.current.units ? 22 : 8, units.length > 1 ? 0 : 12, times ? 0 : 8, 0],
    legend: { show: false },
    cursor: onCursor ? cursorOf(colour) : { show: false },
    scales: {
      x: { time: true, auto: false, range: () => [now.current.range.from, now.current.range.to] },
      ...Object.fromEntries(
        units.map((_, place) => [
          `y${place}`,
          {
            auto: true,
            range: (_plot: uPlot, min: number | null, max: number | null) =>
              rangeWithLimits(
                ...withWanted(min, max, now.current.lines, scaleOf, place),
                limitsOf(now.current.lines, scaleOf, place),
              ),
          },
        ]),
      ),
    },
    axes: [
      {
        ...axis,
        show: times,
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
      drawClear: [
        (plot) => {
          const { lines: shown, words, range } = now.current
          // The samples of an earlier period do not fill gaps in this one.
          const own = shown.filter(({ faint }) => !faint)
          drawGaps(plot, mergeGaps(gapsLeftBy(own), range), words.gaps, colour)
          if (now.current.spans) drawSpans(plot, now.current.spans, colour('--crit'))
        },
      ],
      draw: [
        (plot) => {
          now.current.lines.forEach((line, index) => {
            const scale = `y${scaleOf[index]}`
            if (!plot.scales[scale]) return
            const look = { scale, stroke: colour(`--chart-${line.colour}`), ground: colour('--surface') }
            // Those of an earlier period are the same.
            if (!line.faint) drawLimits(plot, ownLimitsOf(line, now.current.words), look)
            if (line.ruleLimits) drawRuleLimits(plot, line.ruleLimits, { scale, colourOf: colour })
            if (line.dots) drawSamples(plot, line.points, look)
          })
          if (now.current.units) drawUnits(plot, units, colour('--text3'))
          const { left, width } = plot.bbox
          now.current.onPlace?.({ left: left / devicePixelRatio, width: width / devicePixelRatio }, plot)
        },
      ],
      setCursor: [(plot) => reportCursor(plot, now)],
    },
  }
}

/** The limits of a variable with their words at the right edge. */
function ownLimitsOf({ min, max }: TrendLine, { limits }: TrendWords): { at: number; label: string }[] {
  const labelled = (at: number | null, word: string) =>
    at === null ? [] : [{ at, label: `${word} ${formatNumber(at)}` }]
  return [...labelled(min, limits.min), ...labelled(max, limits.max)]
}

/** The limits of the lines on one axis. */
function limitsOf(lines: readonly TrendLine[], scaleOf: readonly number[], scale: number): number[] {
  return lines.flatMap((line, index) =>
    scaleOf[index] === scale
      ? [line.min, line.max, ...(line.ruleLimits ?? []).map(({ at }) => at)].filter((at) => at !== null)
      : [],
  )
}

/** The range of an axis extended by the limits that have to be visible. */
function withWanted(
  min: number | null,
  max: number | null,
  lines: readonly TrendLine[],
  scaleOf: readonly number[],
  scale: number,
): [number | null, number | null] {
  const wanted = lines.flatMap(({ ruleLimits = [] }, index) =>
    scaleOf[index] === scale
      ? ruleLimits.filter(({ isWanted }) => isWanted).flatMap(({ at, back }) => [at, back])
      : [],
  )
  if (min === null || max === null || wanted.length === 0) return [min, max]
  return [Math.min(min, ...wanted), Math.max(max, ...wanted)]
}

function cursorOf(colour: (name: string) => string): uPlot.Cursor {
  return {
    y: false,
    drag: { x: false, y: false, setScale: false },
    // The edges of a band follow the pointer too; only lines get a dot.
    points: {
      size: (_plot, place) => ((place - 1) % 3 === 0 ? 7 : 0),
      width: 2,
      stroke: () => colour('--surface'),
    },
  }
}

function ground(plot: uPlot, stroke: string): CanvasGradient {
  const gradient = plot.ctx.createLinearGradient(0, plot.bbox.top, 0, plot.bbox.top + plot.bbox.height)
  gradient.addColorStop(0, withAlpha(stroke, 0.16))
  gradient.addColorStop(1, withAlpha(stroke, 0))
  return gradient
}

function reportCursor(plot: uPlot, now: Now): void {
  const { left } = plot.cursor
  const at = left === undefined || left === null || left < 0 ? null : plot.posToVal(left, 'x')
  now.current.onCursor?.(at)
}
