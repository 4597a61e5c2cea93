import { type CSSProperties, useMemo } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { formatTagValue } from '../../shared/ui/data/tag-value.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import type { PlotPlace } from '../../shared/ui/data/trend-canvas.tsx'
import { gapsLeftBy } from '../../shared/ui/data/trend-gaps.ts'
import { mergeGaps } from '../../shared/ui/data/trend-series.ts'
import { ChartMarks } from './chart-marks.tsx'
import css from './history-lane.module.css'
import type { ShownSeries } from './history-layout.ts'
import { type StateRun, stateRuns, visibleRuns } from './history-series.ts'

/** Narrower states cannot be told from one another. */
const runWidthMin = 3
/** Strengths of a variable's colour, by state; neighbours in the order of first appearance differ well. */
const strengths = [24, 52, 36, 64, 16, 44] as const
/** This much of a long word identifies it. */
const wordWidthMax = 72

interface HistoryLaneProps {
  series: ShownSeries
  range: TimeRange
  place: PlotPlace
  /** Time until which the newest value is known to apply. */
  until: number
  cursorAt: number | null
  markAt: number | undefined
  selected: TimeRange | null
}

/** A state over time: a bar for as long as it stayed the same, with its word if it fits. */
export function HistoryLane({ series, range, place, until, cursorAt, markAt, selected }: HistoryLaneProps) {
  const text = useText()
  const { tag } = series
  const all = useMemo(() => stateRuns(series, until), [series, until])
  const places = useMemo(() => placesOf(all), [all])
  const runs = useMemo(
    () => visibleRuns(all, range, ((range.to - range.from) / place.width) * runWidthMin),
    [all, range, place.width],
  )
  const open = useMemo(() => mergeGaps(gapsLeftBy([series]), range), [series, range])
  const placed = ({ from, to }: TimeRange): CSSProperties => ({
    left: `${((from - range.from) / (range.to - range.from)) * 100}%`,
    width: `${((to - from) / (range.to - range.from)) * 100}%`,
  })
  const fits = (word: string, { from, to }: TimeRange) =>
    wordWidth(word) <= ((to - from) / (range.to - range.from)) * place.width
  return (
    <div className={css.lane}>
      <div className={css.track} style={{ left: place.left, width: place.width }}>
        {open.map((gap) => (
          <span
            key={`${gap.from} ${gap.lost ?? ''}`}
            className={classes(css.gap, gap.lost !== undefined && css.lost)}
            style={placed(gap)}
          />
        ))}
        {runs.map((run) => {
          const word = run.mixed
            ? text.history.several
            : formatTagValue(run.told, tag, text.machines.bool).text
          return (
            <span
              key={run.from}
              className={classes(
                css.run,
                run.mixed ? css.mixed : tag.type === 'bool' ? (run.told ? css.on : css.off) : css.word,
                run.quality === 'uncertain' && css.uncertain,
                series.shiftMs > 0 && css.faint,
              )}
              style={
                {
                  ...placed(run),
                  '--tone': `var(--chart-${series.colour})`,
                  '--strength': `${strengthOf(run, places)}%`,
                } as CSSProperties
              }
            >
              {!run.mixed && fits(word, run) && <span className={css.text}>{word}</span>}
            </span>
          )
        })}
      </div>
      <ChartMarks place={place} range={range} cursorAt={cursorAt} markAt={markAt} selected={selected} />
    </div>
  )
}

/** The approximate width of a word in pixels; for longer words the beginning is enough. */
function wordWidth(word: string): number {
  let width = 12
  for (const letter of word) width += letter > '\u2e7f' ? 11 : 6.5
  return Math.min(width, wordWidthMax)
}

/** The index of each state, in order of appearance. */
function placesOf(runs: readonly StateRun[]): Map<unknown, number> {
  const places = new Map<unknown, number>()
  for (const { told } of runs) if (!places.has(told)) places.set(told, places.size)
  return places
}

function strengthOf(run: StateRun, places: ReadonlyMap<unknown, number>): number {
  return strengths[(places.get(run.told) ?? 0) % strengths.length] ?? strengths[0]
}
