import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { formatClock, formatMinute, useLang, useText } from '../../i18n/index.ts'
import { useTheme } from '../../session/theme.ts'
import { Skeleton } from '../skeleton.tsx'
import type { TimeRange } from './time-range.ts'
import css from './trend-chart.module.css'
import type { TrendLine } from './trend-line.ts'

const TrendCanvas = lazy(() => import('./trend-canvas.tsx'))

interface TrendChartProps {
  /** Describes the chart to people who cannot see it. */
  label: string
  lines: readonly TrendLine[]
  range: TimeRange
  /** Times in which an alarm was active. */
  spans?: readonly TimeRange[]
  /** Least to greatest of each bucket, as a band around the line. */
  band: boolean
  height?: number
  busy?: boolean
  /** The time under the pointer, for the legend. */
  onCursor: (at: number | null) => void
}

const dayMs = 86_400_000

/** Several curves over time, a unit an axis, gaps as gaps. The caller renders the legend. */
export function TrendChart(props: TrendChartProps) {
  const { label, lines, range, spans, band, height = 216, busy = false, onCursor } = props
  const t = useText().machines
  const lang = useLang()
  const theme = useTheme()
  const [cursorAt, setCursorAt] = useState<number | null>(null)
  const follow = useCallback(
    (at: number | null) => {
      setCursorAt(at)
      onCursor(at)
    },
    [onCursor],
  )
  const isEmpty = useMemo(
    () => lines.every((line) => line.points.every((point) => point.value === null)),
    [lines],
  )
  const skeleton = <Skeleton height={height - 26} className={css.waiting} />
  const share = cursorAt === null ? 0 : (cursorAt - range.from) / (range.to - range.from)
  const formatCursor = range.to - range.from >= dayMs ? formatMinute : formatClock

  return (
    <figure className={css.chart} style={{ height }} data-subject="" aria-busy={busy || undefined}>
      <div role="img" aria-label={label}>
        <Suspense fallback={skeleton}>
          <TrendCanvas
            lines={lines}
            range={range}
            spans={spans}
            band={band}
            height={height}
            theme={theme}
            lang={lang}
            words={t.trend}
            onCursor={follow}
          />
        </Suspense>
      </div>
      {isEmpty && <p className={css.note}>{busy ? t.trend.loading : t.trend.empty}</p>}
      {cursorAt !== null && (
        <span className={css.cursor} data-side={share > 0.5 ? 'left' : 'right'} aria-hidden="true">
          {formatCursor(cursorAt)}
        </span>
      )}
    </figure>
  )
}
