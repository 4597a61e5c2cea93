import { sparkBuckets } from '../telemetry/index.ts'

const endedBuckets = sparkBuckets - 1

/** Sparklines as they were answered in a list, in the form of `Telemetry.peekSparks`, which gives the present ones. */
export function endedOf(
  tagIds: readonly number[],
  sparks: ReadonlyMap<number, readonly (number | null)[]>,
): Float64Array {
  const means = new Float64Array(tagIds.length * endedBuckets).fill(Number.NaN)
  for (const [place, tagId] of tagIds.entries()) {
    for (const [bucket, mean] of sparks.get(tagId)?.slice(0, endedBuckets).entries() ?? [])
      means[place * endedBuckets + bucket] = mean ?? Number.NaN
  }
  return means
}
