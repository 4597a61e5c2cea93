import type { Layout, ShownSeries } from '../../entities/history/history-layout.ts'
import { isState, type TagSeries } from '../../entities/history/history-series.ts'

/** The distances one press away. */
export const comparePresets = { day: 86_400_000, week: 7 * 86_400_000 } as const
export type ComparePreset = keyof typeof comparePresets

/** A series of an earlier time as if it were of this one; its variable gets the id with a minus before it. */
export function shiftSeries(series: TagSeries, byMs: number): TagSeries {
  const { tag, points, gaps, cutAt } = series
  return {
    ...series,
    tag: { ...tag, tagId: -tag.tagId, min: null, max: null, version: null },
    points: points.map((point) => ({ ...point, at: point.at + byMs })),
    cutAt: cutAt === null ? null : cutAt + byMs,
    ...(gaps ? { gaps: gaps.map((gap) => ({ ...gap, from: gap.from + byMs, to: gap.to + byMs })) } : {}),
  }
}

/** The compared series beside those that they are compared with, in the same colours but paler. */
export function withCompared(
  { panels, lanes }: Layout,
  compared: readonly TagSeries[],
  suffix: string,
): Layout {
  const byId = new Map(compared.map((one) => [-one.tag.tagId, one]))
  const beside = (one: ShownSeries): ShownSeries[] => {
    const earlier = byId.get(one.tag.tagId)
    if (!earlier) return [one]
    const tag = { ...earlier.tag, name: `${earlier.tag.name} ${suffix}` }
    return [one, { ...earlier, tag, colour: one.colour, faint: true }]
  }
  return { panels: panels.map((panel) => panel.flatMap(beside)), lanes: lanes.flatMap(beside) }
}

/** Each curve in a separate chart. */
export function apart({ panels, lanes }: Layout): Layout {
  return { panels: panels.flat().map((one) => [one]), lanes }
}

/** Variables that a curve can be drawn of. */
export const isCurve = (series: TagSeries): boolean => !isState(series.tag)
