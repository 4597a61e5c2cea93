import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { formatTagValue } from '../../shared/ui/data/tag-value.ts'
import { TagValueText } from '../../shared/ui/data/tag-value-text.tsx'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { pointAt } from '../../shared/ui/data/trend-series.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import type { ShownSeries } from './history-layout.ts'
import css from './history-legend.module.css'
import { pointsWithin, titleOf } from './history-series.ts'

interface HistoryLegendProps {
  series: readonly ShownSeries[]
  /** The time under the cursor. */
  at: number | null
  range: TimeRange
  until: number
  onRemove: ((series: ShownSeries) => void) | undefined
}

/** The value of each curve under the cursor, or at the end of the chart. */
export function HistoryLegend({ series, at, range, until, onRemove }: HistoryLegendProps) {
  return (
    <ul className={css.legend} data-axis={series.length > 1 || undefined}>
      {series.map((each) => (
        <LegendItem
          key={each.key}
          series={each}
          at={at ?? Math.min(range.to, until)}
          range={range}
          isCursor={at !== null}
          onRemove={onRemove}
        />
      ))}
    </ul>
  )
}

interface LegendItemProps {
  series: ShownSeries
  at: number
  range: TimeRange
  isCursor: boolean
  onRemove: ((series: ShownSeries) => void) | undefined
}

function LegendItem({ series, at, range, isCursor, onRemove }: LegendItemProps) {
  const text = useText()
  const { tag, colour, shiftMs, kind } = series
  const point = pointAt(series, at)
  const isMixed = kind === 'buckets' && tag.type === 'bool' && point !== undefined && point.min !== point.max
  const bounds = boundsOf(series, isCursor ? point : undefined, range)
  const { text: value, unit } = formatTagValue(point?.told, tag, text.machines.bool)
  return (
    <li
      className={css.item}
      data-legend=""
      data-said={`${titleOf(tag)} ${isMixed ? text.history.several : value} ${unit}`.trim()}
    >
      <span
        className={classes(css.dash, shiftMs > 0 && css.faint)}
        style={{ background: `var(--chart-${colour})` }}
      />
      <span className={classes(css.name, 'cut')} title={titleOf(tag)}>
        {tag.machineName && <span className={css.machine}>{tag.machineName}</span>}
        {tag.name}
      </span>
      {isMixed ? (
        <span className={css.value}>{text.history.several}</span>
      ) : (
        <TagValueText
          value={point?.told}
          tag={tag}
          quality={point?.quality ?? 'good'}
          className={classes(css.value, tag.type === 'string' && 'cut')}
        />
      )}
      {bounds && (
        <Text fixed tone="quiet" size={11} oneLine numbers>
          {text.history.bucketRange(formatNumber(bounds.min, tag.scale), formatNumber(bounds.max, tag.scale))}
        </Text>
      )}
      {onRemove && (
        <button
          type="button"
          className={css.remove}
          aria-label={text.history.remove(titleOf(tag))}
          onClick={() => onRemove(series)}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </li>
  )
}

interface Bounds {
  readonly min: number
  readonly max: number
}

/** Least and greatest of the average under the cursor, or of everything shown. */
function boundsOf(
  series: ShownSeries,
  point: { readonly min: number | null; readonly max: number | null } | undefined,
  range: TimeRange,
): Bounds | null {
  const { tag, kind } = series
  if (tag.type === 'bool' || tag.type === 'string' || tag.enum) return null
  if (point) {
    if (kind !== 'buckets' || point.min === null || point.max === null || point.min === point.max) return null
    return { min: point.min, max: point.max }
  }
  let bounds: Bounds | null = null
  for (const { min, max } of pointsWithin(series, range)) {
    if (min === null || max === null) continue
    bounds = bounds ? { min: Math.min(bounds.min, min), max: Math.max(bounds.max, max) } : { min, max }
  }
  return bounds
}
