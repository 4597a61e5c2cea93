import { ZoneClock } from '../../../kernel/files/zone-clock.ts'

/** For zones that this runtime does not support. */
const defaultTimeZone = 'Asia/Shanghai'

const dayMs = 24 * 3_600_000

/** The clocks of one zone. */
export class LocalClock {
  readonly #clock: ZoneClock

  /** Throws `RangeError` for a zone that this runtime does not support. */
  constructor(timeZone: string) {
    this.#clock = new ZoneClock(timeZone)
  }

  /**
   * The instant, epoch milliseconds, at which the zone's clocks show `wall`, milliseconds since 1970 on that wall. An
   * hour that comes twice in autumn, and one that is left out in spring, can be meant in two ways: then the one closer to
   * `near`.
   */
  toEpoch(wall: number, near: number): number {
    const before = this.#clock.offsetMs(wall - dayMs)
    const after = this.#clock.offsetMs(wall + dayMs)
    if (before === after) return wall - before
    const [early, late] = [wall - Math.max(before, after), wall - Math.min(before, after)]
    const isEarly = this.#clock.wall(early) === wall
    const isLate = this.#clock.wall(late) === wall
    if (isEarly !== isLate) return isEarly ? early : late
    return Math.abs(early - near) <= Math.abs(late - near) ? early : late
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
