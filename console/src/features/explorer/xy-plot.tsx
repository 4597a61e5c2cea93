import { useEffect, useMemo, useRef } from 'react'
import { isState, type TagSeries, titleOf } from '../../entities/history/history-series.ts'
import { formatExact, formatNumber } from '../../shared/i18n/index.ts'
import { useTheme } from '../../shared/session/theme.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { useWidth } from '../../shared/ui/data/use-width.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { Select } from '../../shared/ui/select/select.tsx'
import css from './explorer.module.css'
import { useExplorerText } from './explorer-text.ts'
import { type XyPoint, xyPoints } from './xy-points.ts'
import { niceTicks } from './xy-ticks.ts'

interface XyPlotProps {
  series: readonly TagSeries[]
  range: TimeRange
  /** The axes of the address; the first two numbers if it names none. */
  chosen: { readonly x: number | undefined; readonly y: number | undefined }
  onChoose: (axes: { readonly x: number; readonly y: number }) => void
}

/** One variable against another: each point is a time, later ones are stronger. */
export function XyPlot({ series, range, chosen, onChoose }: XyPlotProps) {
  const t = useExplorerText().xy
  const numbers = series.filter(({ tag }) => !isState(tag))
  const x = numbers.find(({ tag }) => tag.tagId === chosen.x) ?? numbers[0]
  const y = numbers.find((one) => one.tag.tagId === chosen.y && one !== x) ?? numbers.find((one) => one !== x)
  const points = useMemo(() => (x && y ? xyPoints(x, y, range) : []), [x, y, range])
  if (!x || !y) return <EmptyState icon="chart" title={t.none} hint={t.noneHint} />
  const choices = numbers.map(({ tag }) => ({ value: String(tag.tagId), label: titleOf(tag) }))
  const [xId, yId] = [x.tag.tagId, y.tag.tagId]
  const choose = (axis: 'x' | 'y') => (value: string) => {
    const id = Number(value)
    const next = axis === 'x' ? { x: id, y: yId } : { x: xId, y: id }
    // The variable of the other axis changes places with it.
    onChoose(next.x === next.y ? { x: yId, y: xId } : next)
  }
  return (
    <Stack pad="10 16" gap={8}>
      <div className={css.axes}>
        <Select label={t.x} choices={choices} value={String(xId)} onChange={choose('x')} size="small" />
        <Select label={t.y} choices={choices} value={String(yId)} onChange={choose('y')} size="small" />
        <span className={css.ramp} aria-hidden="true">
          {t.from}
          <i />
          {t.to}
        </span>
      </div>
      {points.length === 0 ? (
        <EmptyState icon="chart" title={t.noPoints} />
      ) : (
        <Cloud
          points={points}
          x={x}
          y={y}
          range={range}
          label={t.label(titleOf(x.tag), titleOf(y.tag), points.length)}
        />
      )}
    </Stack>
  )
}

interface CloudProps {
  points: readonly XyPoint[]
  x: TagSeries
  y: TagSeries
  range: TimeRange
  label: string
}

const height = 420
const margin = { left: 64, right: 16, top: 26, bottom: 44 } as const
const tickPixels = { x: 90, y: 48 } as const
const dot = 2.2

/** The points on a canvas: thousands of elements would be slow. */
function Cloud({ points, x, y, range, label }: CloudProps) {
  const theme = useTheme()
  const [box, width] = useWidth<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of theme has other colours
  useEffect(() => {
    const element = canvas.current
    const drawing = element?.getContext('2d')
    if (!element || !drawing || width === 0) return
    const ratio = devicePixelRatio
    element.width = width * ratio
    element.height = height * ratio
    drawing.setTransform(ratio, 0, 0, ratio, 0, 0)
    draw(drawing, { points, x, y, range, width, styles: getComputedStyle(element) })
  }, [points, x, y, range, width, theme])
  return (
    <div ref={box} className={css.cloud}>
      <canvas ref={canvas} role="img" aria-label={label} style={{ width: '100%', height }} />
      <p className="sr-only">{describeEnds(points)}</p>
    </div>
  )
}

function describeEnds(points: readonly XyPoint[]): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return ''
  const say = ({ at, x, y }: XyPoint) => `${formatExact(at)}: ${formatNumber(x)}, ${formatNumber(y)}`
  return `${say(first)}; ${say(last)}`
}

interface Drawn {
  readonly points: readonly XyPoint[]
  readonly x: TagSeries
  readonly y: TagSeries
  readonly range: TimeRange
  readonly width: number
  readonly styles: CSSStyleDeclaration
}

function draw(to: CanvasRenderingContext2D, { points, x, y, range, width, styles }: Drawn): void {
  const colour = (name: string) => styles.getPropertyValue(name).trim()
  const area = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const xs = niceTicks(
    points.map((point) => point.x),
    area.width / tickPixels.x,
  )
  const ys = niceTicks(
    points.map((point) => point.y),
    area.height / tickPixels.y,
  )
  const left = (value: number) => margin.left + ((value - xs.min) / (xs.max - xs.min)) * area.width
  const top = (value: number) => margin.top + (1 - (value - ys.min) / (ys.max - ys.min)) * area.height
  to.clearRect(0, 0, width, height)
  to.font = `11px ${styles.fontFamily}`
  to.lineWidth = 1
  to.strokeStyle = colour('--grid')
  to.fillStyle = colour('--text3')
  to.textAlign = 'center'
  to.textBaseline = 'top'
  for (const tick of xs.ticks) {
    line(to, [left(tick), margin.top], [left(tick), margin.top + area.height])
    to.fillText(formatNumber(tick), left(tick), margin.top + area.height + 6)
  }
  to.textAlign = 'right'
  to.textBaseline = 'middle'
  for (const tick of ys.ticks) {
    line(to, [margin.left, top(tick)], [margin.left + area.width, top(tick)])
    to.fillText(formatNumber(tick), margin.left - 8, top(tick))
  }
  to.textBaseline = 'alphabetic'
  to.textAlign = 'left'
  to.fillText(titleWithUnit(y), 8, 14)
  to.textAlign = 'right'
  to.fillText(titleWithUnit(x), margin.left + area.width, height - 6)
  to.fillStyle = colour('--chart-1')
  for (const { at, x: across, y: up } of points) {
    to.globalAlpha = 0.15 + 0.75 * ((at - range.from) / Math.max(range.to - range.from, 1))
    to.beginPath()
    to.arc(left(across), top(up), dot, 0, 2 * Math.PI)
    to.fill()
  }
  to.globalAlpha = 1
}

function line(to: CanvasRenderingContext2D, from: readonly [number, number], end: readonly [number, number]) {
  to.beginPath()
  to.moveTo(...from)
  to.lineTo(...end)
  to.stroke()
}

const titleWithUnit = ({ tag }: TagSeries) => (tag.unit ? `${titleOf(tag)} (${tag.unit})` : titleOf(tag))
