const everyMs = 200
const spinMs = 4
/** Limits the slowdown, so that a process cannot buy time with its own load. */
const burdenMax = 4

/**
 * A clock that slows down while other processes keep the processors busy: a promise of ten seconds refers to
 * an unloaded machine. It measures how long a piece of work of 4 ms takes. A hanging process that uses no
 * processor time does not slow it.
 */
export class Calm {
  #now = 0
  #users = 0
  #timer: NodeJS.Timeout | undefined
  #lookedAt = 0

  /** Milliseconds; continues while it is used. */
  get now(): number {
    return this.#now
  }

  use(): void {
    if (this.#users++ > 0) return
    this.#lookedAt = performance.now()
    this.#timer = setInterval(() => this.#look(), everyMs)
  }

  release(): void {
    if (--this.#users === 0) clearInterval(this.#timer)
  }

  #look(): void {
    const beganAt = performance.now()
    const cpuBefore = process.cpuUsage()
    let workedMs = 0
    while (workedMs < spinMs) {
      const { user, system } = process.cpuUsage(cpuBefore)
      workedMs = (user + system) / 1_000
    }
    const now = performance.now()
    const burden = Math.min(burdenMax, Math.max(1, (now - beganAt) / workedMs))
    this.#now += (now - this.#lookedAt) / burden
    this.#lookedAt = now
  }
}
