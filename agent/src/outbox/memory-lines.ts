import type { Sample } from '../tag.ts'
import type { BootTime } from './boot-times.ts'
import type { Entry } from './entry.ts'
import { countSamples, entrySamplesMax, pushSamples } from './entry.ts'

/** The samples in memory that wait to be sent, live and late. Samples being sent are not included. */
export class MemoryLines {
  #live: Entry[] = []
  /** Entries that wait for the disk, or without one for the line. */
  #late: Entry[] = []

  get live(): readonly Entry[] {
    return this.#live
  }

  get late(): readonly Entry[] {
    return this.#late
  }

  push(samples: readonly Sample[], isLive: boolean, taken: BootTime, nowMs: number): void {
    pushSamples(isLive ? this.#live : this.#late, samples, taken, nowMs)
  }

  /** The oldest live entries that fit one message. */
  takeLive(): Entry[] {
    let count = 0
    const end = this.#live.findIndex(({ samples }, index) => {
      count += samples.length
      return index > 0 && count > entrySamplesMax
    })
    return this.#live.splice(0, end < 0 ? this.#live.length : end)
  }

  /** Late entries that the disk did not take: one at least, and what fits beside it. */
  takeLate(samplesMax: number): Entry[] {
    const entries: Entry[] = []
    let count = 0
    for (const entry of this.#late.filter(isFree)) {
      count += entry.samples.length
      if (count > samplesMax && entries.length > 0) break
      entries.push(entry)
    }
    this.removeLate(entries)
    return entries
  }

  removeLate(entries: readonly Entry[]): void {
    if (entries.length > 0) this.#late = this.#late.filter((entry) => !entries.includes(entry))
  }

  /** Drops entries that the disk has. */
  removeWritten(): void {
    this.#late = this.#late.filter(({ place }) => place === null)
  }

  /**
   * The line broke: live and sent samples are late now. Returns those that are on the disk, and are dropped
   * here.
   */
  interrupt(sent: readonly Entry[]): Entry[] {
    const entries = [...sent, ...this.#live]
    this.#live = []
    this.#late.push(...entries.filter(({ place }) => place === null))
    this.#late.sort((one, other) => one.addedAtMs - other.addedAtMs)
    return entries.filter(({ place }) => place !== null)
  }

  /**
   * Makes room of `excess` samples: live ones that the disk has are late, and answered as `written`; then late ones are
   * `dropped`.
   */
  trim(excess: number, drop: 'oldest' | 'newest'): { written: Entry[]; dropped: [Entry, Sample[]][] } {
    const written = this.#live.filter(({ place }) => place !== null)
    let rest = excess - countSamples(written)
    this.#live = this.#live.filter(({ place }) => place === null)
    while (rest > countSamples(this.#late)) {
      const oldest = this.#live.shift()
      if (oldest === undefined) break
      this.#late.push(oldest)
    }
    const dropped: [Entry, Sample[]][] = []
    while (rest > 0) {
      const free = this.#late.filter(isFree)
      const entry = drop === 'oldest' ? free[0] : free.at(-1)
      if (entry === undefined) break
      const count = Math.min(rest, entry.samples.length)
      const from = drop === 'oldest' ? 0 : entry.samples.length - count
      dropped.push([entry, entry.samples.splice(from, count)])
      if (entry.samples.length === 0) this.removeLate([entry])
      rest -= count
    }
    return { written, dropped }
  }
}

/** The entry exists only in memory, and no write of it is running. */
function isFree({ isWriting, place }: Entry): boolean {
  return !isWriting && place === null
}
