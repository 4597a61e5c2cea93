import type { AnswerOf, telemetry } from '@busbar/contract'
import { chartNumber } from '../../shared/ui/data/tag-value.ts'
import type { Gap } from '../../shared/ui/data/trend-gaps.ts'
import type { TrendPoint } from '../../shared/ui/data/trend-series.ts'

/** The limits that a chart draws of a tag; a state gets none. */
export function limitsOf({
  type,
  enum: names,
  min,
  max,
}: Pick<telemetry.Tag, 'type' | 'enum' | 'min' | 'max'>) {
  const isNumber = (type === 'float64' || type === 'int64') && names === undefined
  return isNumber ? { min, max } : { min: null, max: null }
}

/** A point as a chart draws it: bad and stale values are left out. */
export function toTrendPoint([at, value, min, max, quality]: telemetry.HistoryPoint): TrendPoint {
  if (quality === 'bad' || quality === 'stale') return { at, value: null, min: null, max: null }
  const point = { at, value: chartNumber(value), min, max }
  return quality === 'uncertain' ? { ...point, uncertain: true } : point
}

type ToldGaps = Pick<AnswerOf<typeof telemetry.getHistory>, 'gaps' | 'lost'>

/** Times without data, and why. */
export function toGaps({ gaps, lost }: ToldGaps): Gap[] {
  return [
    ...gaps.map(([from, to]) => ({ from, to })),
    ...lost.map(([from, to, samples]) => ({ from, to, lost: samples })),
  ]
}
