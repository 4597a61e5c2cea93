import type { telemetry } from '@busbar/contract'
import { limitsOf, toGaps } from '../machine/trend-data.ts'
import type { HistoryAnswer } from './history-queries.ts'
import { type HistoryMachine, type ShownTag, type TagSeries, toTagSeries } from './history-series.ts'

interface Shown {
  readonly machines: readonly HistoryMachine[]
  readonly tags: readonly telemetry.Tag[]
  readonly tagIds: readonly number[]
}

/** The series of an answer that are of the machines, in the order of the tags, moved by `shiftMs`. */
export function readSeries(
  answer: Pick<HistoryAnswer, 'series' | 'machines'>,
  { machines, tags, tagIds }: Shown,
  shiftMs = 0,
): TagSeries[] {
  const answered = new Map(answer.series.map((one) => [one.tagId, one]))
  const known = new Map(tags.map((tag) => [tag.tagId, tag]))
  const names = namesOf(machines)
  const gaps = new Map(
    answer.machines.map((one) => [
      one.machineId,
      toGaps(one).map((gap) => ({ ...gap, from: gap.from + shiftMs, to: gap.to + shiftMs })),
    ]),
  )
  return [...new Set(tagIds)].flatMap((tagId) => {
    const one = answered.get(tagId)
    const tag = one && shownTag(one, known.get(tagId))
    if (!tag || one.machineId === null || !names.has(one.machineId)) return []
    const machineName = machines.length > 1 ? names.get(one.machineId) : undefined
    return [
      toTagSeries(machineName === undefined ? tag : { ...tag, machineName }, one, {
        gaps: gaps.get(one.machineId) ?? [],
        shiftMs,
      }),
    ]
  })
}

/** Whether an answer has tags of none of the machines: an address may name them. */
export function hasForeign(
  { series }: Pick<HistoryAnswer, 'series'>,
  machines: readonly HistoryMachine[],
  tagIds: readonly number[],
): boolean {
  return series.some(
    ({ tagId, machineId }) => tagIds.includes(tagId) && machines.every(({ id }) => id !== machineId),
  )
}

/** The names of machines; those of one name are told apart by their codes. */
function namesOf(machines: readonly HistoryMachine[]): ReadonlyMap<number, string> {
  const byName = Map.groupBy(machines, ({ name }) => name)
  return new Map(
    machines.map(({ id, name, code }) => [
      id,
      (byName.get(name)?.length ?? 0) > 1 ? `${name} (${code})` : name,
    ]),
  )
}

/** A tag as it is now; of a former type, as its history describes it. */
function shownTag(
  { tagId, version }: telemetry.HistorySeries,
  tag: telemetry.Tag | undefined,
): ShownTag | undefined {
  if (tag) {
    const { name, type, unit, scale } = tag
    return {
      ...{ tagId, name, type, unit, scale, version, ...limitsOf(tag) },
      ...(tag.enum ? { enum: tag.enum } : {}),
    }
  }
  if (!version) return undefined
  const { name, type, unit, scale } = version
  return { tagId, name, type, unit, scale, min: null, max: null, version }
}
