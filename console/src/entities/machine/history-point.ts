import type { telemetry } from '@busbar/contract'
import { chartNumber } from '../../shared/ui/data/tag-value.ts'
import type { Gap } from '../../shared/ui/data/trend-gaps.ts'
import type { TrendPoint } from '../../shared/ui/data/trend-series.ts'
import type { TagHistory } from './machine-queries.ts'

/** A point as a chart draws it: what is bad or stale is nothing. */
export function toTrendPoint([at, value, min, max, quality]: telemetry.HistoryPoint): TrendPoint {
  if (quality === 'bad' || quality === 'stale') return { at, value: null, min: null, max: null }
  const point = { at, value: chartNumber(value), min, max }
  return quality === 'uncertain' ? { ...point, uncertain: true } : point
}

/** Times of which a chart knows nothing, and why. */
export function gapsOf({ gaps, lost }: Pick<TagHistory, 'gaps' | 'lost'>): Gap[] {
  return [
    ...gaps.map(([from, to]) => ({ from, to })),
    ...lost.map(([from, to, samples]) => ({ from, to, lost: samples })),
  ]
}
