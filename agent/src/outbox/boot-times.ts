import type { Clock } from '../clock.ts'

/** 2000-01-01: a wall clock before it was never set. */
export const earliestAt = 946_684_800_000
/** Smaller differences are within the precision of the two clocks. */
const stepMsMin = 2_000
/** The most boots whose times are kept; samples of older ones were sent long ago. */
const bootsMax = 16

/** When a boot was, as known best: its wall clock minus its uptime, epoch ms. */
export interface BootTime {
  boot: string
  startedAt: number
}

/**
 * Puts right the times of samples that were taken with a wrong wall clock. Each is kept with the boot it
 * was taken in and with when that boot was by the clock of the moment. When the clock is set during the boot, that
 * moves, and the samples with it: by the step, which the uptime does not know.
 */
export class BootTimes {
  readonly #clock: Pick<Clock, 'now' | 'uptime'>
  readonly #boot: string
  #taken: BootTime
  #known: BootTime[] = []

  constructor(clock: Pick<Clock, 'now' | 'uptime'>, boot: string) {
    this.#clock = clock
    this.#boot = boot
    this.#taken = { boot, startedAt: this.#read() }
    this.#learn()
  }

  /** Restores the state of an earlier run. */
  adopt(known: readonly BootTime[]): void {
    const others = known.filter(({ boot }) => !this.#known.some((time) => time.boot === boot))
    this.#known = [...others, ...this.#known].slice(-bootsMax)
  }

  /** Has to be kept, so that a later boot can correct the samples of this one. */
  list(): readonly BootTime[] {
    return this.#known
  }

  /** This boot by the current wall clock. It changes only when the clock is set. */
  observe(): BootTime {
    const read = this.#read()
    // A pause between the two readings looks like a step, so it has to be seen twice.
    if (this.#isStep(read) && this.#isStep(this.#read())) {
      this.#taken = { boot: this.#boot, startedAt: this.#read() }
      this.#learn()
    }
    return this.#taken
  }

  /** False before the wall clock was set for the first time. */
  get isClockSet(): boolean {
    return this.#clock.now() >= earliestAt
  }

  /**
   * The correction for times of samples of `boot` that were taken when the boot was thought to be at
   * `startedAt`.
   */
  shiftMs({ boot, startedAt }: BootTime): number {
    const known = this.#known.find((other) => other.boot === boot)
    const shiftMs = known === undefined ? 0 : known.startedAt - startedAt
    return Math.abs(shiftMs) < stepMsMin ? 0 : shiftMs
  }

  #read(): number {
    return Math.round(this.#clock.now() - this.#clock.uptime())
  }

  #isStep(startedAt: number): boolean {
    return Math.abs(startedAt - this.#taken.startedAt) >= stepMsMin
  }

  /** Keeps the known times if the clock has lost its time. */
  #learn(): void {
    if (!this.isClockSet) return
    const others = this.#known.filter((time) => time.boot !== this.#boot)
    this.#known = [...others, this.#taken].slice(-bootsMax)
  }
}
