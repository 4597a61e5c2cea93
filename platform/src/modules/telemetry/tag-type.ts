import type { telemetry as contract } from '@busbar/contract'

export type TagType = contract.TagType
export type Quality = contract.Quality

/** The stored numbers of qualities: Sparkplug's, and OPC's 64 for uncertain. */
export const qualityNumber = { bad: 0, uncertain: 64, good: 192, stale: 500 } as const

const qualityByNumber = new Map<number, Quality>(
  Object.entries(qualityNumber).map(([quality, number]) => [number, quality as Quality]),
)

/** Whether a sample of this quality counts as a value; the others mean that there was none. */
export const isCounting = (quality: number): boolean =>
  quality === qualityNumber.good || quality === qualityNumber.uncertain

/** An unknown number counts as bad: a value must never look better than it is. */
export function qualityOf(number: number): Quality {
  return qualityByNumber.get(number) ?? 'bad'
}
