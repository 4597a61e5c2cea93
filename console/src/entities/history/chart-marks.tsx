import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import type { PlotPlace } from '../../shared/ui/data/trend-canvas.tsx'
import css from './history-chart.module.css'

interface ChartMarksProps {
  place: PlotPlace | null
  range: TimeRange
  cursorAt: number | null
  /** The time of the alarm or the write that is shown in words. */
  markAt: number | undefined
  selected: TimeRange | null
}

/** The crosshair, and the range marked by a drag so far. */
export function ChartMarks({ place, range, cursorAt, markAt, selected }: ChartMarksProps) {
  if (!place) return null
  const leftOf = (at: number) => place.left + ((at - range.from) / (range.to - range.from)) * place.width
  return (
    <>
      {selected && (
        <span
          className={css.selected}
          style={{ left: leftOf(selected.from), width: leftOf(selected.to) - leftOf(selected.from) }}
        />
      )}
      {markAt !== undefined && <span className={css.mark} style={{ left: leftOf(markAt) }} />}
      {cursorAt !== null && cursorAt >= range.from && cursorAt <= range.to && (
        <span className={css.cursor} style={{ transform: `translateX(${leftOf(cursorAt)}px)` }} />
      )}
    </>
  )
}
