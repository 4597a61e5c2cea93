import { lazy, Suspense, useMemo, useState } from 'react'
import type uPlot from 'uplot'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { useTheme } from '../../shared/session/theme.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import type { PlotPlace } from '../../shared/ui/data/trend-canvas.tsx'
import type { TrendLine } from '../../shared/ui/data/trend-line.ts'
import { assignScales, pointAt } from '../../shared/ui/data/trend-series.ts'
import { useHeight } from '../../shared/ui/data/use-height.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import type { LimitsByTag } from '../alarm-rule/rule-limits.ts'
import { ChartMarks } from './chart-marks.tsx'
import css from './history-chart.module.css'
import type { ShownSeries } from './history-layout.ts'
import { titleOf } from './history-series.ts'

const TrendCanvas = lazy(() => import('../../shared/ui/data/trend-canvas.tsx'))

interface HistoryPanelProps {
  series: readonly ShownSeries[]
  /** The limits of rules, by variable. */
  ruleLimits: LimitsByTag
  range: TimeRange
  axisMin: number
  place: PlotPlace | null
  cursorAt: number | null
  markAt: number | undefined
  selected: TimeRange | null
  onPlace: (place: PlotPlace) => void
}

/** Curves over one another, with what the cursor says of each. */
export function HistoryPanel(props: HistoryPanelProps) {
  const { series, ruleLimits, range, axisMin, place, cursorAt, markAt, selected, onPlace } = props
  const t = useText().machines
  const lang = useLang()
  const theme = useTheme()
  const [plot, setPlot] = useState<uPlot>()
  const [box, height] = useHeight<HTMLDivElement>()
  const lines = useMemo(() => series.map((each) => toLine(each, ruleLimits)), [series, ruleLimits])
  const band = series.some(({ kind }) => kind === 'buckets')
  return (
    <div ref={box} className={css.panel}>
      <Suspense fallback={<Skeleton height="100%" />}>
        {height > 0 && (
          <TrendCanvas
            lines={lines}
            range={range}
            band={band}
            height={height}
            theme={theme}
            lang={lang}
            words={t.trend}
            times={false}
            units
            axisMin={axisMin}
            onPlace={(next, drawn) => {
              if (drawn !== plot) setPlot(drawn)
              onPlace(next)
            }}
          />
        )}
      </Suspense>
      <ChartMarks place={place} range={range} cursorAt={cursorAt} markAt={markAt} selected={selected} />
      {plot && place && cursorAt !== null && <Dots {...{ plot, place, series, range, cursorAt }} />}
    </div>
  )
}

function toLine(
  { key, tag, kind, colour, shiftMs, stepped, intervalMs, points, gaps }: ShownSeries,
  limits: LimitsByTag,
): TrendLine {
  const { tagId, unit, min, max } = tag
  const name = titleOf(tag)
  const faint = shiftMs > 0
  const ruleLimits = faint ? [] : (limits.get(tagId) ?? [])
  return {
    ...{ key, name, unit, min, max, ruleLimits, colour, faint, stepped, intervalMs, points, gaps },
    dots: kind === 'raw' && !faint,
  }
}

interface DotsProps {
  plot: uPlot
  place: PlotPlace
  series: readonly ShownSeries[]
  range: TimeRange
  cursorAt: number
}

/** Marks each curve at the cursor: on its sample, not on the line between two. */
function Dots({ plot, place, series, range, cursorAt }: DotsProps) {
  const { scaleOf } = assignScales(series.map(({ tag }) => tag.unit))
  return series.map((each, index) => {
    const point = pointAt(each, cursorAt)
    const shown = each.stepped && point ? Math.max(point.at, cursorAt) : point?.at
    if (!point || point.value === null || shown === undefined || shown < range.from || shown > range.to)
      return null
    // The chart of a moment ago does not know the axis of a curve that was just added.
    if (!plot.scales[`y${scaleOf[index]}`]) return null
    const left = place.left + ((shown - range.from) / (range.to - range.from)) * place.width
    const top = plot.bbox.top / devicePixelRatio + plot.valToPos(point.value, `y${scaleOf[index]}`)
    return (
      <span
        key={each.key}
        className={css.dot}
        style={{ transform: `translate(${left}px, ${top}px)`, background: `var(--chart-${each.colour})` }}
      />
    )
  })
}
