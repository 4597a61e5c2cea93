const samplesMin = 50
const samplesFirst = 500
const samplesMax = 1_000
/** A late message that takes longer holds up live samples noticeably; one that is quicker may be larger. */
const slowMs = 400
const quickMs = 100

/** The number of samples in the next late message, from the time that the last one took to be acknowledged. */
export class BacklogPace {
  #samples = samplesFirst

  get samples(): number {
    return this.#samples
  }

  note(acknowledgedInMs: number): void {
    if (acknowledgedInMs > slowMs) this.#samples = Math.max(samplesMin, Math.floor(this.#samples / 2))
    else if (acknowledgedInMs < quickMs) this.#samples = Math.min(samplesMax, this.#samples * 2)
  }
}
