/** Samples that were dropped before they could be sent. */
export interface LostSpan {
  /** Times of the first and last of them, epoch ms. */
  from: number
  to: number
  samples: number
  /** It was sent, and may have arrived, so a repeat has to be the same. */
  isTold?: boolean
}

/** Losses closer than this form one gap: every tag sends a value at least once a minute. */
export const mergeGapMs = 60_000
/** The most spans kept; beyond that, the two that are closest become one. */
export const spansMax = 64

/** The gaps that are not acknowledged yet, in the order of their times, neighbours merged. */
export class LostSpans {
  #spans: LostSpan[] = []

  list(): readonly LostSpan[] {
    return this.#spans
  }

  /** Takes in one that an earlier run kept. */
  adopt(kept: LostSpan): void {
    if (kept.isTold) this.#spans.unshift(kept)
    else this.add(kept)
  }

  add(lost: LostSpan): void {
    let span = { from: lost.from, to: lost.to, samples: lost.samples }
    this.#spans = this.#spans.filter((other) => {
      const gapMs = Math.max(other.from - span.to, span.from - other.to)
      if (other.isTold || gapMs > mergeGapMs) return true
      span = join(other, span)
      return false
    })
    this.#spans.push(span)
    this.#spans.sort((a, b) => a.from - b.from)
    if (this.#spans.length > spansMax) this.#joinClosest()
  }

  /** The next one to send; from now on it stays unchanged. */
  tellNext(): LostSpan | undefined {
    const [span] = this.#spans
    if (span) span.isTold = true
    return span
  }

  /** The cloud has it. */
  forget(told: LostSpan): void {
    this.#spans = this.#spans.filter((span) => span !== told)
  }

  #joinClosest(): void {
    let closest = 1
    let leastMs = Infinity
    for (let index = 1; index < this.#spans.length; index++) {
      const gapMs = (this.#spans[index] as LostSpan).from - (this.#spans[index - 1] as LostSpan).to
      if (gapMs < leastMs) {
        leastMs = gapMs
        closest = index
      }
    }
    const [one, other] = this.#spans.slice(closest - 1, closest + 1) as [LostSpan, LostSpan]
    this.#spans.splice(closest - 1, 2, join(one, other))
  }
}

function join(one: LostSpan, other: LostSpan): LostSpan {
  return {
    from: Math.min(one.from, other.from),
    to: Math.max(one.to, other.to),
    samples: one.samples + other.samples,
  }
}
