import { timing } from '@busbar/contract'
import type { Attendance } from './attendance.ts'
import type { LiveVisit } from './live-visit.ts'

/** Timers run at most this long; in between the clock is checked again. */
const timerMsMax = 3_600_000

export interface VisitClockDeps {
  readonly attendance: Pick<Attendance, 'isAttended'>
  now(): number
  /** Its 8 hours are over. */
  timeUp(visit: LiveVisit): void
  /** The visit time it rests on is over. */
  visitTimeOver(visit: LiveVisit): Promise<void>
  /** The visit was idle for half an hour. */
  idle(visit: LiveVisit): Promise<void>
  /** It will end in five minutes; pages are told only that they are idle, because they show the rest. */
  warn(visit: LiveVisit, reason: 'idle' | 'timeUp', at: number): void
  track(work: Promise<unknown>): void
}

/**
 * Warns and ends visits by time: each has one timer, for the next of its instants (rules/visits.md: end of a visit).
 */
export class VisitClock {
  readonly #deps: VisitClockDeps

  constructor(deps: VisitClockDeps) {
    this.#deps = deps
  }

  /** Whether a visit's time is over, of whichever kind. */
  isDue(visit: LiveVisit, now: number): boolean {
    return now >= visit.until || (now >= visit.idleAt && !this.#isAttended(visit))
  }

  /** Sets the timer for the next event. */
  arm(visit: LiveVisit): void {
    clearTimeout(visit.timer)
    if (visit.ended) return
    const endStepAt = this.#endStepAt(visit)
    const wakeAt = Math.min(endStepAt, this.#isAttended(visit) ? endStepAt : this.#idleStepAt(visit))
    const inMs = Math.min(Math.max(wakeAt - this.#deps.now(), 0), timerMsMax)
    visit.timer = setTimeout(() => this.#deps.track(this.check(visit, this.#deps.now())), inMs)
  }

  /** Does everything due, and sets the timer for the next event. */
  async check(visit: LiveVisit, now: number): Promise<void> {
    if (visit.ended) return
    if (now >= visit.until) {
      if (visit.untilReason === 'visitTimeOver') return this.#deps.visitTimeOver(visit)
      return this.#deps.timeUp(visit)
    }
    if (now >= this.#endStepAt(visit)) {
      visit.warnedUntil = visit.until
      this.#deps.warn(visit, 'timeUp', visit.until)
    }
    if (!this.#isAttended(visit)) {
      if (now >= visit.idleAt) return this.#deps.idle(visit)
      if (now >= this.#idleStepAt(visit)) {
        visit.warnedOf = visit.idleAt
        this.#deps.warn(visit, 'idle', visit.idleAt)
      }
    }
    this.arm(visit)
  }

  /** The warning, which only streams to ports need, and after it the end. */
  #endStepAt(visit: LiveVisit): number {
    const isWarned = visit.reach === undefined || visit.warnedUntil === visit.until
    return isWarned ? visit.until : visit.until - timing.visitWarningMs
  }

  /** The warning, and after it the end. */
  #idleStepAt(visit: LiveVisit): number {
    return visit.warnedOf === visit.idleAt ? visit.idleAt : visit.idleAt - timing.visitWarningMs
  }

  #isAttended(visit: LiveVisit): boolean {
    return this.#deps.attendance.isAttended(visit.userId, visit.visitId)
  }
}
