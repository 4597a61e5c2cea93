/** For zones that this runtime does not support. */
export const defaultTimeZone = 'Asia/Shanghai'

/** A zone's offset changes at quarters of an hour only, since 2000 in every zone. */
const quarterMs = 15 * 60_000
const dayMs = 24 * 3_600_000
/** Number of cached offsets of one zone: a backlog of a year needs more, which are computed again. */
const offsetsMax = 2_048

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
   * The instant, epoch milliseconds, at which the zone's clocks show `wall`, milliseconds since 1970 on that wall. An
   * hour that comes twice in autumn, and one that is left out in spring, can be meant in two ways: then the one closer to
   * `near`.
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
