import type { telemetry } from '@busbar/contract'
import { useMemo } from 'react'
import type { HistoryAnswer } from '../../../entities/history/history-queries.ts'
import { type ShownTag, type TagSeries, toTagSeries } from '../../../entities/history/history-series.ts'
import { limitsOf } from '../../../entities/machine/trend-data.ts'

/** The series of an answer that are of this machine, in the order they were chosen. */
export function useSeries(
  machineId: number,
  tags: readonly telemetry.Tag[],
  tagIds: readonly number[],
  answer: HistoryAnswer | undefined,
): { series: readonly TagSeries[]; unknown: boolean } {
  return useMemo(() => {
    const told = new Map(answer?.series.map((series) => [series.tagId, series]))
    const known = new Map(tags.map((tag) => [tag.tagId, tag]))
    const series = tagIds.flatMap((tagId) => {
      const one = told.get(tagId)
      const tag = one && shownTag(one, known.get(tagId))
      // An address may name the tags of another machine.
      return one && tag && one.machineId === machineId ? [toTagSeries(tag, one)] : []
    })
    const unknown = tagIds.some((tagId) => told.has(tagId) && told.get(tagId)?.machineId !== machineId)
    return { series, unknown }
  }, [machineId, tags, tagIds, answer])
}

function shownTag(told: telemetry.HistorySeries, tag: telemetry.Tag | undefined): ShownTag | undefined {
  const { version } = told
  if (tag) {
    const { tagId, name, type, unit, scale } = tag
    return {
      ...{ tagId, name, type, unit, scale, version },
      ...limitsOf(tag),
      ...(tag.enum ? { enum: tag.enum } : {}),
    }
  }
  return version
    ? {
        tagId: told.tagId,
        name: version.name,
        type: version.type,
        unit: version.unit,
        scale: version.scale,
        min: null,
        max: null,
        version,
      }
    : undefined
}
