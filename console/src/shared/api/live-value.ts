import type { telemetry } from '@busbar/contract'
import { Quality, type TagValue } from '@busbar/contract/push'

/** A value as the push brings it: the same shape as the answer of `listLatest`. */
export type LiveValue = telemetry.LatestValue

const qualityNames: Partial<Record<number, telemetry.Quality>> = {
  [Quality.GOOD]: 'good',
  [Quality.STALE]: 'stale',
  [Quality.BAD]: 'bad',
  [Quality.UNCERTAIN]: 'uncertain',
}

/** Returns undefined for a quality that this version does not know. */
export function toLiveValue(pushed: TagValue): LiveValue | undefined {
  const quality = qualityNames[pushed.quality]
  if (quality === undefined) return undefined
  return {
    tagId: Number(pushed.tagId),
    value: plainValue(pushed.value),
    quality,
    time: Number(pushed.time),
    receivedAt: Number(pushed.receivedAt),
  }
}

/** int64 beyond 2^53 stays a string of digits. */
function plainValue(value: TagValue['value']): LiveValue['value'] {
  if (value.case === undefined) return null
  if (value.case !== 'intValue') return value.value
  const number = Number(value.value)
  return Number.isSafeInteger(number) ? number : value.value
}
