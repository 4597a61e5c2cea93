import { type KeyboardEvent, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { formatTimeSplit } from '../../shared/ui/data/trend-axes.ts'
import type { PlotPlace } from '../../shared/ui/data/trend-canvas.tsx'
import { gapAt, gapsOf } from '../../shared/ui/data/trend-gaps.ts'
import { pointAt } from '../../shared/ui/data/trend-series.ts'
import { usePatientRange } from '../../shared/ui/data/use-patient-range.ts'
import { useWidth } from '../../shared/ui/data/use-width.ts'
import type { LimitsByTag } from '../alarm-rule/rule-limits.ts'
import css from './history-chart.module.css'
import { HistoryLane } from './history-lane.tsx'
import type { Layout, ShownSeries } from './history-layout.ts'
import { HistoryLegend } from './history-legend.tsx'
import type { HistoryMark } from './history-marks.ts'
import { HistoryPanel } from './history-panel.tsx'
import { nearestTime, neighbourTime } from './history-series.ts'
import { lengthOf, moveRange, zoomRange } from './history-span.ts'
import { describeGap, formatCursor } from './history-text.ts'
import { MarkRow } from './mark-row.tsx'
import { timeTicks } from './time-ticks.ts'
import { useChartGestures } from './use-chart-gestures.ts'

/** Distance at which the cursor snaps to a sample. */
const snapPixels = 10
const tickPixels = 66
const tickEdge = 10
const lanePadding = 16

type KeyAction = 'reset' | 'now' | { readonly zoom: number } | { readonly move: number }

/** Zooms by a factor, moves by a share of the range; with Shift the short moves apply to the cursor. */
const keyActions: Readonly<Record<string, KeyAction>> = {
  '+': { zoom: 2 / 3 },
  '=': { zoom: 2 / 3 },
  '-': { zoom: 1.5 },
  _: { zoom: 1.5 },
  ArrowLeft: { move: -0.25 },
  ArrowRight: { move: 0.25 },
  PageUp: { move: -1 },
  PageDown: { move: 1 },
  Home: 'reset',
  '0': 'reset',
  End: 'now',
}

interface HistoryChartProps {
  layout: Layout
  /** The limits of rules, by variable. */
  ruleLimits: LimitsByTag
  range: TimeRange
  large: boolean
  live: boolean
  busy: boolean
  /** A gesture is moving it. */
  isMoving: boolean
  until: number
  label: string
  /** Shown if there is no data at all. */
  empty: string | undefined
  marks: readonly HistoryMark[]
  /** The key of the mark that is shown in words. */
  mark: string | undefined
  onMark: (key: string | undefined) => void
  removable: boolean
  onRemove: (series: ShownSeries) => void
  onSelect: (range: TimeRange) => void
  onMove: (range: TimeRange) => void
  onReset: () => void
  onNow: () => void
}

/** Charts and lanes over one time axis, with one cursor for all. */
export function HistoryChart(props: HistoryChartProps) {
  const { layout, large, isMoving, until, label, empty } = props
  const range = usePatientRange(props.range, props.busy && !isMoving)
  const busy = props.busy || isMoving
  const t = useText().history
  const [chart, width] = useWidth<HTMLDivElement>()
  const [cursorAt, setCursorAt] = useState<number | null>(null)
  const [spoken, setSpoken] = useState('')
  const [place, setPlace] = useState<PlotPlace | null>(null)
  const [axisMin, setAxisMin] = useState(0)
  const { panels, lanes } = layout
  const all = useMemo(() => [...panels.flat(), ...lanes], [panels, lanes])
  const gaps = useMemo(() => gapsOf(all.filter(({ shiftMs }) => shiftMs === 0)), [all])
  const isRaw = all.some(({ kind }) => kind !== 'buckets')

  const shownPlace = useMemo(() => {
    if (panels.length > 0) return place
    return width > 0 ? { left: lanePadding, width: width - 2 * lanePadding } : null
  }, [panels.length, place, width])
  const onPlace = useCallback((next: PlotPlace) => {
    setPlace((before) => (before?.left === next.left && before.width === next.width ? before : next))
    // All charts begin to the right of the widest labels.
    setAxisMin((before) => Math.max(before, next.left))
  }, [])

  const snapped = useMemo(() => {
    if (cursorAt === null || !shownPlace) return cursorAt
    const reachMs = (lengthOf(range) / shownPlace.width) * snapPixels
    return nearestTime(all, cursorAt, reachMs) ?? cursorAt
  }, [all, cursorAt, range, shownPlace])
  const gestures = useChartGestures({
    chart,
    place: shownPlace,
    range,
    freeWheel: large,
    onCursor: setCursorAt,
    onSelect: props.onSelect,
    onMove: props.onMove,
  })

  /** Time to which a key moved the cursor: only that is read out. */
  const keyedAt = useRef<number>(undefined)

  function moveCursor(step: 1 | -1) {
    const at = neighbourTime(all, snapped, step, range)
    if (at === undefined) return
    keyedAt.current = at
    gestures.release()
    setCursorAt(at)
  }

  /** Why something is not known at a time: a gap that was filled later explains nothing. */
  function reasonAt(at: number): string | undefined {
    const gap = gapAt(gaps, at)
    const isOpen = gap?.lost !== undefined || all.some((series) => !pointAt(series, at))
    return gap && isOpen ? describeGap(gap, t) : undefined
  }

  const speak = useEffectEvent((at: number) => {
    const reason = reasonAt(at)
    // The legend has just been rendered for this time, so its text is read out.
    const legends = [...(chart.current?.querySelectorAll<HTMLElement>('[data-said]') ?? [])]
    const said = legends.map((legend) => legend.dataset.said ?? '')
    setSpoken([formatCursor(at, isRaw), ...(reason ? [reason] : []), ...said].join(', '))
  })
  useEffect(() => {
    if (snapped === null || snapped !== keyedAt.current) return
    keyedAt.current = undefined
    speak(snapped)
  }, [snapped])

  function act(action: KeyAction, cursor: boolean) {
    const wanted = props.range
    const pivot = snapped ?? (props.live ? wanted.to : (wanted.from + wanted.to) / 2)
    if (action === 'reset') props.onReset()
    else if (action === 'now') props.onNow()
    else if ('zoom' in action) props.onMove(zoomRange(wanted, action.zoom, pivot))
    else if (cursor && Math.abs(action.move) < 1) moveCursor(action.move > 0 ? 1 : -1)
    else props.onMove(moveRange(wanted, action.move))
  }

  function onKey(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape') {
      const had = gestures.cancel() || cursorAt !== null
      setCursorAt(null)
      if (!had) return
    } else {
      const action = keyActions[event.key]
      if (!action || (event.target as Element).closest('button')) return
      act(action, event.shiftKey)
    }
    event.preventDefault()
    event.stopPropagation()
  }

  const markAt = props.marks.find(({ key }) => key === props.mark)?.at
  const shared = { range, cursorAt: snapped, markAt, selected: gestures.selected }
  const legend = (series: readonly ShownSeries[]) => (
    <HistoryLegend
      series={series}
      at={snapped}
      range={range}
      until={until}
      onRemove={props.removable ? props.onRemove : undefined}
    />
  )
  return (
    <div
      ref={chart}
      className={classes(css.chart, panels.length > 1 && css.several)}
      role="application"
      aria-label={label}
      aria-describedby="history-keys"
      aria-busy={busy || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved and zoomed by keys
      tabIndex={0}
      onKeyDown={onKey}
      onBlur={() => setSpoken('')}
      {...gestures.handlers}
    >
      {panels.map((panel) => (
        <div key={panel[0]?.key} className={classes(css.group, css.curves)}>
          {legend(panel)}
          <HistoryPanel
            series={panel}
            ruleLimits={props.ruleLimits}
            axisMin={panels.length > 1 ? axisMin : 0}
            place={shownPlace}
            onPlace={onPlace}
            {...shared}
          />
        </div>
      ))}
      {lanes.map((lane) => (
        <div key={lane.key} className={css.group}>
          {legend([lane])}
          {shownPlace && <HistoryLane series={lane} place={shownPlace} until={until} {...shared} />}
        </div>
      ))}
      {shownPlace && (
        <MarkRow
          marks={props.marks}
          chosen={props.mark}
          range={range}
          place={shownPlace}
          onChoose={props.onMark}
        />
      )}
      {shownPlace && (
        <TimeAxis
          range={range}
          place={shownPlace}
          cursorAt={snapped}
          exact={isRaw}
          reason={snapped === null ? undefined : reasonAt(snapped)}
        />
      )}
      {empty && <p className={css.empty}>{empty}</p>}
      {busy && <span className={`${css.progress} passes`} />}
      <p className="sr-only" aria-live="polite">
        {spoken}
      </p>
    </div>
  )
}

interface TimeAxisProps {
  range: TimeRange
  place: PlotPlace
  cursorAt: number | null
  /** The cursor is on a sample: its time is shown to the millisecond. */
  exact: boolean
  /** The reason of the gap under the cursor. */
  reason: string | undefined
}

/** Round times, and over them the time of the cursor. */
function TimeAxis({ range, place, cursorAt, exact, reason }: TimeAxisProps) {
  const { stepMs, times } = timeTicks(range, (lengthOf(range) / place.width) * tickPixels)
  const shareOf = (at: number) => Math.min(Math.max((at - range.from) / lengthOf(range), 0), 1)
  return (
    <div className={css.axis} aria-hidden="true" style={{ marginLeft: place.left, width: place.width }}>
      {times.map((at) => {
        // Its half would be cut off at the edge of the screen.
        if ((1 - shareOf(at)) * place.width < tickEdge) return null
        return (
          <span key={at} className={css.tick} style={{ left: `${shareOf(at) * 100}%` }}>
            {formatTimeSplit(at, stepMs)}
          </span>
        )
      })}
      {cursorAt !== null && (
        <span
          className={css.time}
          style={{
            left: `${shareOf(cursorAt) * 100}%`,
            transform: `translateX(${-shareOf(cursorAt) * 100}%)`,
          }}
        >
          {formatCursor(cursorAt, exact)}
          {reason && <b>{reason}</b>}
        </span>
      )}
    </div>
  )
}
