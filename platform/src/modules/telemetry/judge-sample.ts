import { limits } from '@busbar/contract'
import type { TagType } from './tag-type.ts'
import type { UplinkValue } from './uplink-record.ts'

/** A live sample whose clock is further off than this gets the time of its arrival. */
export const clockSkewMsMax = 5 * 60_000
/** 2000-01-01T00:00:00Z: before it no machine's clock was set. */
export const earliestAt = 946_684_800_000
/** The furthest plausible time in the future, in ms, for every zone. */
const aheadMsMax = 24 * 3_600_000

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n

/** When a sample counts as taken, and whether that is certain. */
export interface JudgedTime {
  readonly at: number
  readonly isUncertain: boolean
}

/** A machine's time beside that of its arrival: within 5 minutes, further off, or outside 2000 to tomorrow. */
export type TimeSense = 'near' | 'behind' | 'ahead' | 'impossible'

export function senseOf(time: number, receivedAt: number): TimeSense {
  if (!(time >= earliestAt && time <= receivedAt + aheadMsMax)) return 'impossible'
  if (time > receivedAt + clockSkewMsMax) return 'ahead'
  return time >= receivedAt - clockSkewMsMax ? 'near' : 'behind'
}

/**
 * Whether a time is true by itself: a live one within 5 minutes, a late one also before (rules/telemetry.md: time of a
 * sample).
 */
export function isTimeBelieved(time: number, late: boolean, receivedAt: number): boolean {
  const sense = senseOf(time, receivedAt)
  return sense === 'near' || (late && sense === 'behind')
}

/** Whether a live sample was stored at a time long before its arrival: its machine had kept it. */
export const isKept = ({
  time,
  receivedAt,
}: {
  readonly time: number
  readonly receivedAt: number
}): boolean => receivedAt - time > clockSkewMsMax

/**
 * The time a record is stored under. A record without a time of its own gets the time of arrival, and counts as
 * certain.
 */
export function judgeTime(time: number | undefined, late: boolean, receivedAt: number): JudgedTime {
  if (time === undefined) return { at: receivedAt, isUncertain: false }
  return isTimeBelieved(time, late, receivedAt)
    ? { at: time, isUncertain: false }
    : { at: receivedAt, isUncertain: true }
}

/**
 * The value as it is stored under a type. Null for values that cannot be stored: NaN and infinities, integers beyond 64
 * bits, texts over 1 kB or with a NUL, which PostgreSQL's text cannot hold (rules/telemetry.md: values that cannot be
 * stored).
 */
export function judgeValue(type: TagType, value: UplinkValue): boolean | number | bigint | string | null {
  switch (type) {
    case 'float64':
      return typeof value === 'number' && Number.isFinite(value) ? value : null
    case 'bool':
      return typeof value === 'boolean' ? value : null
    case 'int64':
      if (typeof value === 'bigint') return value >= int64Min && value <= int64Max ? value : null
      return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : null
    case 'string':
      return typeof value === 'string' && isStorableText(value) ? value : null
  }
}

function isStorableText(text: string): boolean {
  if (text.length > limits.tagTextBytesMax) return false
  // Three bytes a UTF-16 unit at most: short texts need no counting.
  if (text.length * 3 > limits.tagTextBytesMax && Buffer.byteLength(text) > limits.tagTextBytesMax)
    return false
  return !text.includes('\0')
}
