import type { TagSpec, TagValue } from './profiles/profile.ts'

/** Every value is sent at least this often, changed or not. */
const refreshMs = 60_000

/** One value that is due to be sent; `tag` indexes the profile's tags. */
export interface DueValue {
  tag: number
  value: TagValue
}

/** Decides what has changed enough to be sent. */
export interface ChangeFilter {
  /** The values due at `at`; they count as sent. */
  take(values: readonly TagValue[], at: number): DueValue[]
  /** Everything is due at the next call: after a birth, or when the last values never arrived. */
  reset(): void
}

/** A filter over a profile's tags by their deadbands and the full refresh each minute. */
export function createChangeFilter(tags: readonly TagSpec[]): ChangeFilter {
  let sent: (TagValue | undefined)[] = []
  let refreshedAt = Number.NEGATIVE_INFINITY
  return {
    take(values, at) {
      const refresh = at - refreshedAt >= refreshMs
      if (refresh) refreshedAt = at
      const due: DueValue[] = []
      for (const [tag, value] of values.entries()) {
        if (!refresh && !changed(sent[tag], value, tags[tag]?.deadband)) continue
        sent[tag] = value
        due.push({ tag, value })
      }
      return due
    },
    reset() {
      sent = []
      refreshedAt = Number.NEGATIVE_INFINITY
    },
  }
}

function changed(was: TagValue | undefined, is: TagValue, deadband: number | undefined): boolean {
  if (typeof was !== 'number' || typeof is !== 'number') return was !== is
  // 21.3 - 21.2 is a little less than 0.1 in floating point.
  return deadband === undefined ? was !== is : Math.abs(is - was) >= deadband * 0.999
}
