import type { Sample } from '../tag.ts'
import type { BootTimes } from './boot-times.ts'
import type { DiskPiece } from './disk-piece.ts'
import type { Entry } from './entry.ts'
import { createEntry } from './entry.ts'
import { ForwardTimes } from './forward-times.ts'

/** Gives samples the times they are sent with: put right once, and the same in every repeat. */
export class SendTimes {
  readonly #times: BootTimes
  readonly #forward = new ForwardTimes()

  constructor(times: BootTimes) {
    this.#times = times
  }

  /** The error of the times of samples in memory, ms. */
  shiftOf({ isFixed, taken }: Entry): number {
    return isFixed ? 0 : this.#times.shiftMs(taken)
  }

  /** The entry to send; another one where its times were not fixed yet. */
  fix(entry: Entry, isLate: boolean): Entry {
    if (entry.isFixed) return entry
    const shiftMs = this.shiftOf(entry)
    const samples = entry.samples.map((sample): Sample => {
      if (sample.isOwnTime) return sample
      const at = isLate ? sample.at + shiftMs : this.#forward.next(sample.at + shiftMs)
      return at === sample.at ? sample : { ...sample, at }
    })
    return createEntry(samples, entry.taken, true, entry.addedAtMs)
  }

  /** The error of the times of samples from the disk, ms; kept from now on, because they are sent with it. */
  fixShift({ segment, from, to, isFixed }: DiskPiece): number {
    const sent = segment.sentShifts.find((other) => other.from === from && other.to === to)
    if (sent !== undefined) return sent.shiftMs
    const shiftMs = isFixed || segment.taken === null ? 0 : this.#times.shiftMs(segment.taken)
    segment.sentShifts.push({ from, to, shiftMs })
    return shiftMs
  }
}
