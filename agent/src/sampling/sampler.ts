import type { Reading, Sample, Tag, TagValue } from '../tag.ts'
import { withinRange } from '../tag.ts'

/** The results of a poll. */
export interface Offered {
  /** Worth sending. */
  due: Sample[]
  /** Different from the previous reading, even slightly. */
  moved: Sample[]
}

interface Sent {
  value: TagValue | null
  quality: number
  atMs: number
}

/**
 * Decides which readings of one connection are worth sending: the first of each tag, a change beyond the
 * deadband, every change of quality, and at least one per heartbeat. Pure: both times are parameters.
 */
export class Sampler {
  readonly #tags: readonly Tag[]
  readonly #firstTag: number
  readonly #pollIntervalMs: number
  readonly #sent: (Sent | undefined)[] = []
  readonly #current: (Sample | undefined)[] = []

  /** `firstTag` is the number of this connection's first tag among all tags of the agent. */
  constructor(tags: readonly Tag[], firstTag: number, pollIntervalMs: number) {
    this.#tags = tags
    this.#firstTag = firstTag
    this.#pollIntervalMs = pollIntervalMs
  }

  /**
   * `at` is the wall clock's epoch ms for samples without their own time, `atMs` the monotonic time for the
   * heartbeat.
   */
  offer(readings: readonly Reading[], at: number, atMs: number): Offered {
    const offered: Offered = { due: [], moved: [] }
    for (const raw of readings) {
      const tag = this.#tags[raw.index]
      if (tag === undefined) continue
      const reading = withinRange(tag, raw)
      const { index, value, quality } = reading
      const sample = this.#sampleOf(reading, at)
      const before = this.#current[index]
      this.#current[index] = sample
      if (before?.value !== value || before.quality !== quality) offered.moved.push(sample)
      if (!this.#isDue(tag, this.#sent[index], reading, atMs)) continue
      this.#sent[index] = { value, quality, atMs }
      offered.due.push(sample)
    }
    return offered
  }

  /** A reading that is sent regardless of the deadband. */
  take(raw: Reading, at: number, atMs: number): Sample {
    const reading = withinRange(this.#tags[raw.index] as Tag, raw)
    const { index, value, quality } = reading
    const sample = this.#sampleOf(reading, at)
    this.#current[index] = sample
    this.#sent[index] = { value, quality, atMs }
    return sample
  }

  /** The newest reading of one of the connection's tags. */
  latest(index: number): Sample | undefined {
    return this.#current[index]
  }

  /** The newest reading of each tag that was read, for a birth. */
  current(): Sample[] {
    return this.#current.filter((sample) => sample !== undefined)
  }

  #sampleOf({ index, value, quality, at: ownAt }: Reading, at: number): Sample {
    const tag = this.#firstTag + index
    return ownAt === undefined
      ? { tag, at, value, quality }
      : { tag, at: ownAt, isOwnTime: true, value, quality }
  }

  #isDue(tag: Tag, sent: Sent | undefined, reading: Reading, atMs: number): boolean {
    if (sent === undefined || sent.quality !== reading.quality) return true
    if (isChange(sent.value, reading.value, tag.deadband)) return true
    // If the next poll would come too late, send now: a heartbeat is the longest pause, not the average one.
    return atMs + this.#pollIntervalMs > sent.atMs + tag.heartbeatMs
  }
}

function isChange(before: TagValue | null, now: TagValue | null, deadband: number): boolean {
  if (before === now) return false
  if (typeof before === 'number' && typeof now === 'number') return Math.abs(now - before) > deadband
  if (typeof before === 'bigint' && typeof now === 'bigint') return Math.abs(Number(now - before)) > deadband
  return true
}
