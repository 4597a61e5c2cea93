import type { Clock } from '../clock.ts'

interface Timer {
  atMs: number
  run: () => void
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #wallAt = Date.UTC(2026, 0, 1)
  #monotonicMs = 0
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#wallAt
  }

  monotonic(): number {
    return this.#monotonicMs
  }

  uptime(): number {
    return this.#monotonicMs
  }

  /** Sets the wall clock, as NTP or a person does. */
  step(byMs: number): void {
    this.#wallAt += byMs
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#monotonicMs + delayMs, run }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Moves both times and runs what is due, in order. */
  advance(byMs: number): void {
    const untilMs = this.#monotonicMs + byMs
    for (;;) {
      const due = [...this.#timers]
        .filter((timer) => timer.atMs <= untilMs)
        .sort((a, b) => a.atMs - b.atMs)[0]
      if (due === undefined) break
      this.#timers.delete(due)
      this.#move(due.atMs)
      due.run()
    }
    this.#move(untilMs)
  }

  #move(toMs: number): void {
    this.#wallAt += toMs - this.#monotonicMs
    this.#monotonicMs = toMs
  }
}
