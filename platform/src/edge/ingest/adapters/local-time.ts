/** For zones that this runtime does not support. */
export const defaultTimeZone = 'Asia/Shanghai'

/** A zone's offset changes at quarters of an hour only, since 2000 in every zone. */
const quarterMs = 15 * 60_000
const dayMs = 24 * 3_600_000
/** Number of cached offsets of one zone: a backlog of a year needs more, which are computed again. */
const offsetsMax = 2_048

const localTimePattern = /^(\d{4})([-/])(\d{2})\2(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?$/

/**
 * A wall clock's text, `YYYY-MM-DD HH:mm:ss[.SSS]`, as milliseconds since 1970 on that wall; undefined for an
 * impossible time. A `T` between the parts, slashes in the date and up to nine decimals are accepted as well
 * (rules/wire.md: wall times).
 */
export function parseWallTime(text: string): number | undefined {
  const parts = localTimePattern.exec(text.trim())
  if (!parts) return undefined
  const [year = 0, month = 0, day = 0] = [parts[1], parts[3], parts[4]].map(Number)
  const [hour = 0, minute = 0, second = 0] = parts.slice(5, 8).map(Number)
  const at = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(at)
  // 30 February and 25 o'clock roll over into another day.
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour
  if (!isReal || minute > 59 || second > 59) return undefined
  return at + Number((parts[8] ?? '').slice(0, 3).padEnd(3, '0'))
}

/** The clocks of one zone. */
export class LocalClock {
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new Map<number, number>()

  /** Throws `RangeError` for a zone that this runtime does not support. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  /**
   * The instant, epoch milliseconds, at which the zone's clocks show `wall` (of `parseWallTime`). An hour that comes twice
   * in autumn, and one that is left out in spring, can be meant in two ways: then the one closer to `near`.
   */
  toEpoch(wall: number, near: number): number {
    const before = this.#offsetAt(wall - dayMs)
    const after = this.#offsetAt(wall + dayMs)
    if (before === after) return wall - before
    const [early, late] = [wall - Math.max(before, after), wall - Math.min(before, after)]
    const isEarly = this.#offsetAt(early) === wall - early
    const isLate = this.#offsetAt(late) === wall - late
    if (isEarly !== isLate) return isEarly ? early : late
    return Math.abs(early - near) <= Math.abs(late - near) ? early : late
  }

  /** Offset of the zone from UTC at an instant, in ms. */
  #offsetAt(at: number): number {
    const quarter = Math.floor(at / quarterMs)
    const known = this.#offsets.get(quarter)
    if (known !== undefined) return known
    const start = quarter * quarterMs
    const parts = this.#format.formatToParts(start)
    const read = (type: Intl.DateTimeFormatPartTypes) =>
      Number(parts.find((part) => part.type === type)?.value ?? 0)
    const wall = Date.UTC(
      read('year'),
      read('month') - 1,
      read('day'),
      read('hour'),
      read('minute'),
      read('second'),
    )
    if (this.#offsets.size >= offsetsMax) this.#offsets.clear()
    this.#offsets.set(quarter, wall - start)
    return wall - start
  }
}

const clocks = new Map<string, LocalClock>()

/** The clocks of a zone by its IANA name; one that is not known shows the default zone's time. */
export function localClock(timeZone: string): LocalClock {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = openClock(timeZone)
    clocks.set(timeZone, clock)
  }
  return clock
}

function openClock(timeZone: string): LocalClock {
  try {
    return new LocalClock(timeZone)
  } catch {
    return new LocalClock(defaultTimeZone)
  }
}
