import type { Sample } from '../tag.ts'
import type { BootTime } from './boot-times.ts'
import type { Place } from './disk-piece.ts'

/** Samples written, sent and acknowledged as one. */
export const entrySamplesMax = 500

/** Samples in memory. */
export interface Entry {
  samples: Sample[]
  /** The boot they were taken in, and when that was by the clock of the moment. */
  readonly taken: BootTime
  /** They were sent: a repeat has the same times. */
  readonly isFixed: boolean
  readonly addedAtMs: number
  /** Their place on the disk, if they are there too. */
  place: Place | null
  isWriting: boolean
  /** Acknowledged or given up: a write that is under way releases them at its end. */
  isDone: boolean
}

export function createEntry(samples: Sample[], taken: BootTime, isFixed: boolean, addedAtMs: number): Entry {
  return { samples, taken, isFixed, addedAtMs, place: null, isWriting: false, isDone: false }
}

/** Adds samples at the end, to the last entry where neither a message nor the disk has it yet. */
export function pushSamples(
  entries: Entry[],
  samples: readonly Sample[],
  taken: BootTime,
  nowMs: number,
): void {
  for (let from = 0; from < samples.length; ) {
    const last = entries.at(-1)
    const isOpen = last && !last.isFixed && !last.isWriting && last.place === null && last.taken === taken
    const room = isOpen ? entrySamplesMax - last.samples.length : 0
    const to = from + (room > 0 ? room : entrySamplesMax)
    const part = samples.slice(from, to)
    if (isOpen && room > 0) last.samples.push(...part)
    else entries.push(createEntry(part, taken, false, nowMs))
    from = to
  }
}

export function countSamples(entries: Iterable<Entry>): number {
  let count = 0
  for (const { samples } of entries) count += samples.length
  return count
}
