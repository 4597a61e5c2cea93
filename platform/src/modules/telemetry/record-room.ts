import { groupCommitLimits } from './commit-batch.ts'

const { recordsWaitingHigh, recordsWaitingMax } = groupCommitLimits

/** Counts the records that are not committed yet, of all lanes together, so that further lanes raise no bound. */
export class RecordRoom {
  readonly #onPressure: (isHigh: boolean) => void
  #waiting = 0
  #held = 0
  #isHigh = false

  /** `onPressure` is called when senders should pause, and when they may go on. */
  constructor(onPressure: (isHigh: boolean) => void) {
    this.#onPressure = onPressure
  }

  /** As many records wait for the store as may. */
  get isFull(): boolean {
    return this.#waiting >= recordsWaitingMax
  }

  /** As many records wait for the parts of their machines as may. */
  get isHeldFull(): boolean {
    return this.#held >= recordsWaitingMax
  }

  /** Changes the number of records that wait for the store. */
  count(change: number): void {
    this.#waiting += change
    const isHigh = this.#waiting > (this.#isHigh ? recordsWaitingHigh / 2 : recordsWaitingHigh)
    if (isHigh === this.#isHigh) return
    this.#isHigh = isHigh
    this.#onPressure(isHigh)
  }

  /** Changes the number of records that wait for the parts of their machines. */
  countHeld(change: number): void {
    this.#held += change
  }
}
