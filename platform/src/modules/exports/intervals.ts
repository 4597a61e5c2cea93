import type { ExportInterval } from '@busbar/contract'
import { ZoneClock } from '../../kernel/files/zone-clock.ts'

const dayMs = 86_400_000

/** A stretch of time that is cut into intervals of one length, beginning at `from`. */
export interface IntervalWindow {
  readonly from: number
  readonly to: number
  readonly intervalMs: number
}

/**
 * Intervals as the clocks of a zone show them: those of an hour or less begin at full ones of the zone, a day begins at its
 * midnight and has 23 or 25 hours where the clocks change.
 */
export class Intervals {
  readonly #interval: ExportInterval
  readonly #clock: ZoneClock

  constructor(interval: ExportInterval, zone: string) {
    this.#interval = interval
    this.#clock = new ZoneClock(zone)
  }

  /** The begin of the interval that holds an instant. */
  startOf(at: number): number {
    if (this.#interval === 'day') return this.#midnightOf(Math.floor(this.#clock.wall(at) / dayMs))
    const length = Number(this.#interval) * 1_000
    const wall = this.#clock.wall(at)
    return at - (((wall % length) + length) % length)
  }

  /** As many intervals as are wanted from one on, or one day. */
  windowFrom(start: number, count: number): IntervalWindow {
    if (this.#interval === 'day') {
      const to = this.#midnightOf(Math.floor(this.#clock.wall(start) / dayMs) + 1)
      return { from: start, to, intervalMs: to - start }
    }
    const intervalMs = Number(this.#interval) * 1_000
    return { from: start, to: start + Math.max(count, 1) * intervalMs, intervalMs }
  }

  /** About how many intervals a stretch of time has. */
  count(from: number, to: number): number {
    return Math.ceil((to - from) / (this.#interval === 'day' ? dayMs : Number(this.#interval) * 1_000))
  }

  /** The instant at which a day of the zone begins; the first one where the clocks skip midnight. */
  #midnightOf(day: number): number {
    const wall = day * dayMs
    // Offsets are at most 14 hours, and a change moves them by an hour or two.
    let at = wall - (this.#clock.wall(wall) - wall)
    at = wall - (this.#clock.wall(at) - at)
    while (Math.floor(this.#clock.wall(at) / dayMs) < day) at += 900_000
    while (Math.floor(this.#clock.wall(at - 900_000) / dayMs) >= day) at -= 900_000
    return at
  }
}
