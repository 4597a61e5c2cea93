/** A sender of numbers that knows which of them the platform accepted. */
export interface OutsideClient {
  readonly code: string
  /** Numbers made so far: 1 to this. Each is sent until it is acknowledged, always with the same time. */
  readonly made: number
  readonly acknowledged: ReadonlySet<number>
  /** When it sent the newest message that was acknowledged, by the monotonic clock, in milliseconds. */
  readonly answeredOf: number
  /** Whether the platform should show it online now. */
  readonly isOnline: boolean
  /** Its last problem, for a report. */
  readonly problem: string
  /** Makes one message. */
  make(): void
  /** Starts or stops making numbers at its pace. */
  setLoad(isOn: boolean): void
  close(): Promise<void>
}

/** Times for numbers: the clock's, but each later than the one before. */
export class Stamps {
  #last = 0

  next(): number {
    this.#last = Math.max(this.#last + 1, Date.now())
    return this.#last
  }
}
