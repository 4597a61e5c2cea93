import type { TagValueEvent } from '../../kernel/bus/bus.ts'

const secondMs = 1_000

/**
 * The place of a live sample with a plausible stamp:
 * - `own`: at its stamp, as the newest value
 * - `next`: one millisecond after the newest value, within the second that both are stamped with
 * - `after`: one millisecond after the newest value, uncertain
 * - `arrival`: at its time of arrival, uncertain, as the newest value
 * - `history`: at its stamp; the newest value stays
 * - `repeat`: not stored, because it repeats the newest value
 */
export type Place = 'own' | 'next' | 'after' | 'arrival' | 'history' | 'repeat'

/**
 * Places a live sample with a believed stamp beside the tag's newest value. `newestStamp` is the machine's own stamp of
 * that value, and its time where the machine gave none. Takes and answers plain values: it runs for every sample
 * (rules/telemetry.md: the same time twice).
 */
export function placeSample(
  stamp: number,
  value: TagValueEvent['value'],
  quality: TagValueEvent['quality'],
  newest: TagValueEvent | undefined,
  newestStamp: number,
): Place {
  if (!newest) return 'own'
  const { time } = newest
  if (stamp === newestStamp) {
    if (value === newest.value && isSameQuality(quality, newest, newestStamp)) return 'repeat'
    if (time < stamp) return 'own'
    const isWholeSecond = stamp % secondMs === 0
    return isWholeSecond && time + 1 < stamp + secondMs ? 'next' : 'arrival'
  }
  // A stamp ahead of its value's stored time was not believed, and so does not order samples.
  if (stamp < newestStamp && stamp < time) return 'history'
  return stamp > time ? 'own' : 'after'
}

/** A good value may be uncertain only because it was stored at another time than its stamp. */
function isSameQuality(
  quality: TagValueEvent['quality'],
  newest: TagValueEvent,
  newestStamp: number,
): boolean {
  if (quality === newest.quality) return true
  return quality === 'good' && newest.quality === 'uncertain' && newest.time !== newestStamp
}
